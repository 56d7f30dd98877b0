package io.alrai.e2e.soak;

import java.sql.SQLException;

/**
 * Somebody who works beside hostile clients and knows what each answer must be. One thread; a wrong
 * answer is an AssertionError.
 */
interface Witness extends AutoCloseable {
  /** Does a little work and looks at its answers. */
  void step() throws SQLException;

  /**
   * Connects anew after servers have failed, and finds out what became of the step that failed: all
   * of it or nothing.
   */
  void recover() throws SQLException;

  @Override
  void close() throws SQLException;
}
