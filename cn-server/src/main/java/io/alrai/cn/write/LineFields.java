package io.alrai.cn.write;

import io.alrai.cn.statement.ExecuteErrors;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.optimizer.api.AdminStatement.FileFormat;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Cuts the bytes of a file into lines of fields (MySQL manual, "LOAD DATA Statement", "Field and
 * Line Handling"). One thread.
 */
final class LineFields {
  private static final int NONE = -1;

  private final BufferedInputStream in;
  private final byte[] fieldEnd;
  private final byte[] lineStart;
  private final byte[] lineEnd;
  private final int quote;
  private final int escape;
  private final ByteArrayOutputStream field = new ByteArrayOutputStream(64);
  private boolean lineIsAtEnd;

  /**
   * Fields of a stream.
   *
   * @throws AlraiException 1235 for rows of fixed size
   */
  LineFields(InputStream in, FileFormat format) {
    this.in = new BufferedInputStream(in, 1 << 16);
    this.fieldEnd = bytes(format.fieldsTerminatedBy());
    this.lineStart = bytes(format.linesStartingBy());
    this.lineEnd = bytes(format.linesTerminatedBy());
    this.quote = one(format.enclosedBy());
    this.escape = one(format.escapedBy());
    if (fieldEnd.length == 0 || lineEnd.length == 0) {
      throw ExecuteErrors.unsupported(
          "LOAD DATA with rows of fixed size; give FIELDS and LINES TERMINATED BY");
    }
  }

  private static byte[] bytes(String text) {
    boolean latin = text.chars().allMatch(c -> c < 0x100);
    return text.getBytes(latin ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
  }

  private static int one(String text) {
    return text.isEmpty() ? NONE : text.charAt(0) & 0xff;
  }

  /** Skips a line; false at the end of the file. */
  boolean skipLine() {
    return next().isPresent();
  }

  /** The fields of the next line, NULL as empty; empty at the end of the file. */
  Optional<List<Optional<byte[]>>> next() {
    try {
      if (peek() == NONE || !toLineStart()) {
        return Optional.empty();
      }
      List<Optional<byte[]>> fields = new ArrayList<>();
      lineIsAtEnd = false;
      while (!lineIsAtEnd) {
        fields.add(field());
      }
      return Optional.of(fields);
    } catch (IOException e) {
      throw new AlraiException(
          ErrorCode.ER_ERROR_ON_READ, "cannot read the client's file: " + e.getMessage(), e);
    }
  }

  /** Moves past the next LINES STARTING BY. */
  private boolean toLineStart() throws IOException {
    if (lineStart.length == 0) {
      return true;
    }
    while (!take(lineStart)) {
      if (in.read() == NONE) {
        return false;
      }
    }
    return true;
  }

  private Optional<byte[]> field() throws IOException {
    field.reset();
    if (quote != NONE && peek() == quote) {
      in.read();
      return quoted();
    }
    boolean escapedN = false;
    int length = 0;
    while (true) {
      if (ends()) {
        boolean isNull = escapedN && length == 1 || isWordNull();
        return isNull ? Optional.empty() : Optional.of(field.toByteArray());
      }
      int next = in.read();
      if (next == escape && peek() != NONE) {
        int escaped = in.read();
        escapedN = escaped == 'N';
        field.write(unescaped(escaped));
      } else {
        field.write(next);
      }
      length++;
    }
  }

  /** Without quotes the word NULL is NULL where quotes, or no escapes, are in use. */
  private boolean isWordNull() {
    return (quote != NONE || escape == NONE)
        && field.size() == 4
        && field.toString(StandardCharsets.ISO_8859_1).equals("NULL");
  }

  private Optional<byte[]> quoted() throws IOException {
    while (true) {
      int next = in.read();
      if (next == NONE) {
        lineIsAtEnd = true;
        return Optional.of(field.toByteArray());
      }
      if (next == quote) {
        if (peek() == quote) {
          field.write(in.read());
          continue;
        }
        if (ends()) {
          return Optional.of(field.toByteArray());
        }
        field.write(next);
      } else if (next == escape && peek() != NONE) {
        field.write(unescaped(in.read()));
      } else {
        field.write(next);
      }
    }
  }

  /** Whether the field ends here; moves past what ends it. */
  private boolean ends() throws IOException {
    if (take(lineEnd) || peek() == NONE) {
      lineIsAtEnd = true;
      return true;
    }
    return take(fieldEnd);
  }

  private int peek() throws IOException {
    in.mark(1);
    int next = in.read();
    in.reset();
    return next;
  }

  private boolean take(byte[] text) throws IOException {
    in.mark(text.length);
    for (byte expected : text) {
      if (in.read() != (expected & 0xff)) {
        in.reset();
        return false;
      }
    }
    return true;
  }

  private static int unescaped(int escaped) {
    return switch (escaped) {
      case '0' -> 0;
      case 'b' -> '\b';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'Z' -> 26;
      default -> escaped;
    };
  }
}
