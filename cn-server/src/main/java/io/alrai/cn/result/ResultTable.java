package io.alrai.cn.result;

import io.alrai.common.type.MysqlType;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.common.wire.Lenenc;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A small result that the CN makes by itself. Not thread-safe. */
public final class ResultTable {
  private static final int UTF8MB4 = 255;

  private final List<ColumnDefinition> columns = new ArrayList<>();
  private final List<byte[]> rows = new ArrayList<>();

  /** Adds a column of texts of up to so many characters. */
  public ResultTable text(String name, int characters) {
    columns.add(
        ColumnDefinition.expression(name, MysqlType.VARCHAR, UTF8MB4, 4L * characters, 0, 31));
    return this;
  }

  /** Adds a column of texts of up to so many characters, more than a VARCHAR can have. */
  public ResultTable longText(String name, int characters) {
    columns.add(
        ColumnDefinition.expression(name, MysqlType.MEDIUMBLOB, UTF8MB4, 4L * characters, 0, 31));
    return this;
  }

  /** Adds a column of texts of up to so many characters that is never NULL. */
  public ResultTable requiredText(String name, int characters) {
    columns.add(
        ColumnDefinition.expression(
            name, MysqlType.VARCHAR, UTF8MB4, 4L * characters, ColumnDefinition.NOT_NULL, 31));
    return this;
  }

  /** Adds a column of numbers without sign of up to 32 bits that is never NULL. */
  public ResultTable requiredUnsigned(String name, int displayWidth) {
    columns.add(
        ColumnDefinition.expression(
            name,
            MysqlType.INT,
            ColumnDefinition.BINARY_CHARSET,
            displayWidth,
            ColumnDefinition.NOT_NULL | ColumnDefinition.UNSIGNED | ColumnDefinition.BINARY,
            0));
    return this;
  }

  /** Adds a column of whole numbers that is never NULL. */
  public ResultTable requiredNumber(String name, int displayWidth) {
    columns.add(
        ColumnDefinition.expression(
            name,
            MysqlType.BIGINT,
            ColumnDefinition.BINARY_CHARSET,
            displayWidth,
            ColumnDefinition.NOT_NULL | ColumnDefinition.BINARY,
            0));
    return this;
  }

  /** Adds a column of whole numbers. */
  public ResultTable number(String name) {
    columns.add(
        ColumnDefinition.expression(
            name,
            MysqlType.BIGINT,
            ColumnDefinition.BINARY_CHARSET,
            21,
            ColumnDefinition.BINARY,
            0));
    return this;
  }

  /** Adds a column of whole numbers without sign. */
  public ResultTable unsigned(String name) {
    columns.add(
        ColumnDefinition.expression(
            name,
            MysqlType.BIGINT,
            ColumnDefinition.BINARY_CHARSET,
            21,
            ColumnDefinition.UNSIGNED | ColumnDefinition.BINARY,
            0));
    return this;
  }

  /** Adds a row: bytes, texts and numbers as their text, null for NULL. */
  public ResultTable row(@Nullable Object... values) {
    rows.add(encode(Arrays.asList(values)));
    return this;
  }

  /** A row of the text protocol. */
  public static byte[] encode(List<? extends @Nullable Object> values) {
    ByteBuf out = Unpooled.buffer();
    for (Object value : values) {
      if (value == null) {
        out.writeByte(0xfb);
      } else if (value instanceof byte[] bytes) {
        Lenenc.writeBytes(out, bytes);
      } else {
        Lenenc.writeBytes(out, value.toString().getBytes(StandardCharsets.UTF_8));
      }
    }
    byte[] row = new byte[out.readableBytes()];
    out.readBytes(row);
    return row;
  }

  /** Sends it. */
  public void writeTo(ResultWriter writer, int status) {
    writeTo(writer, 0, status);
  }

  /** Sends it with so many warnings. */
  public void writeTo(ResultWriter writer, int warnings, int status) {
    writer.columns(columns, status);
    rows.forEach(writer::row);
    writer.end(warnings, status);
  }
}
