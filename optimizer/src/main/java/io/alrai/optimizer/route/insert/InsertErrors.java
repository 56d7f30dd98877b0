package io.alrai.optimizer.route.insert;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;

/** What can be wrong with an INSERT, in MySQL's words. */
final class InsertErrors {
  private InsertErrors() {}

  static AlraiException notSupported(String what, String because) {
    return AlraiException.unsupported("'" + what + "': " + because);
  }

  static AlraiException unknownColumn(String shown) {
    return new AlraiException(
        ErrorCode.ER_BAD_FIELD_ERROR, "Unknown column '" + shown + "' in 'field list'");
  }

  static AlraiException twice(String column) {
    return new AlraiException(
        ErrorCode.ER_FIELD_SPECIFIED_TWICE, "Column '" + column + "' specified twice");
  }

  static AlraiException wrongCount(int row) {
    return new AlraiException(
        ErrorCode.ER_WRONG_VALUE_COUNT_ON_ROW,
        "Column count doesn't match value count at row " + row);
  }
}
