package io.alrai.executor.operator;

import io.alrai.common.wire.ColumnDefinition;
import java.util.List;

/**
 * A stream of rows of the text protocol, read by one virtual thread.
 *
 * <pre>{@code
 * try (RowSource rows = ...) {
 *   while (rows.advance()) { use(rows.row()); }
 * }
 * }</pre>
 */
public interface RowSource extends AutoCloseable {
  /** The rows' columns; may block until the shard has sent them. */
  List<ColumnDefinition> columns();

  /**
   * Moves to the next row; blocks until there is one.
   *
   * @return false at the end
   * @throws io.alrai.common.error.AlraiException when the statement failed on a shard
   */
  boolean advance();

  /**
   * The current row after {@link #advance} gave true. The view and its bytes are valid until the
   * next {@link #advance} or {@link #close} of this source.
   */
  Row row();

  /** Lets go of everything, also before the end; a running shard statement is stopped. */
  @Override
  void close();
}
