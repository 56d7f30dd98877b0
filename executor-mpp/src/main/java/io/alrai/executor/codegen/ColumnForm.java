package io.alrai.executor.codegen;

import io.alrai.columnar.scan.ColumnVector;
import io.alrai.columnar.scan.Storage;

/**
 * How a column lies in one batch, as far as generated code depends on it.
 *
 * @param storage of its values, or of its codes
 * @param nullable whether it has a validity bitmap
 * @param dictionary whether the values are codes
 */
public record ColumnForm(Storage storage, boolean nullable, boolean dictionary) {
  /** The form of a vector. */
  public static ColumnForm of(ColumnVector vector) {
    return new ColumnForm(
        vector.storage(), vector.validity().isPresent(), vector.dictionary().isPresent());
  }
}
