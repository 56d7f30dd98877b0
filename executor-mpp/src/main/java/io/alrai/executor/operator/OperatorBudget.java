package io.alrai.executor.operator;

import java.nio.file.Path;

/**
 * What an operator that must hold rows may use.
 *
 * @param heapBytes how much it may hold in memory; beyond it spills
 * @param spillDirectory where its temporary files go; exists
 */
public record OperatorBudget(long heapBytes, Path spillDirectory) {
  /** 16 MiB, and the system's temporary directory. */
  public static OperatorBudget standard() {
    return new OperatorBudget(16L << 20, Path.of(System.getProperty("java.io.tmpdir", "/tmp")));
  }
}
