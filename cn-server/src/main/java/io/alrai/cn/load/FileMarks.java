package io.alrai.cn.load;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.optimizer.api.AdminStatement.FileFormat;
import io.alrai.optimizer.api.FileMark;
import java.nio.charset.Charset;
import java.util.stream.Stream;

/** What separates the fields and lines of a file, as bytes. */
public final class FileMarks {
  private final byte[] fieldEnd;
  private final byte[] lineStart;
  private final byte[] lineEnd;
  private final byte[] quote;
  private final byte[] escape;

  /**
   * Those that a statement gives.
   *
   * @param connection character set of its strings
   * @throws AlraiException 1083 for a quote or an escape of several bytes
   */
  public FileMarks(FileFormat format, Charset connection) {
    this.fieldEnd = format.fieldsTerminatedBy().bytes(connection);
    this.lineStart = format.linesStartingBy().bytes(connection);
    this.lineEnd = format.linesTerminatedBy().bytes(connection);
    this.quote = one(format.enclosedBy(), connection);
    this.escape = one(format.escapedBy(), connection);
  }

  private static byte[] one(FileMark mark, Charset connection) {
    byte[] bytes = mark.bytes(connection);
    if (bytes.length > 1) {
      throw new AlraiException(
          ErrorCode.ER_WRONG_FIELD_TERMINATORS,
          "Field separator argument is not what is expected; check the manual");
    }
    return bytes;
  }

  /** FIELDS TERMINATED BY. */
  public byte[] fieldEnd() {
    return fieldEnd.clone();
  }

  byte[] lineStart() {
    return lineStart.clone();
  }

  /** LINES TERMINATED BY. */
  public byte[] lineEnd() {
    return lineEnd.clone();
  }

  /** ENCLOSED BY: one byte or none. */
  public byte[] quote() {
    return quote.clone();
  }

  /** ESCAPED BY: one byte or none. */
  public byte[] escape() {
    return escape.clone();
  }

  /** Whether a number may hold a part of one. */
  public boolean haveDigits() {
    return Stream.of(fieldEnd, lineEnd, quote, escape).anyMatch(FileMarks::hasDigit);
  }

  private static boolean hasDigit(byte[] mark) {
    for (byte each : mark) {
      if (each == '-' || each >= '0' && each <= '9') {
        return true;
      }
    }
    return false;
  }

  /** Whether MySQL warns that they are not of ASCII (1638). */
  public boolean areForeign() {
    return Stream.of(fieldEnd, lineStart, lineEnd, quote, escape).anyMatch(FileMarks::isForeign);
  }

  private static boolean isForeign(byte[] mark) {
    for (byte each : mark) {
      if (each < 0) {
        return true;
      }
    }
    return false;
  }
}
