package io.alrai.cn.write;

import io.alrai.cn.text.LiteralText;
import io.alrai.common.type.CharacterBytes;
import io.alrai.executor.fragment.KeyColumn;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A line of a file as the cells of an INSERT. One thread. */
final class LoadedRow implements InsertCells {
  private static final byte[] DEFAULT = "DEFAULT".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] BINARY = "_binary ".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NULL = "NULL".getBytes(StandardCharsets.US_ASCII);

  /** One cell: its kind, its bytes where it is a text, and its SQL text. */
  @SuppressWarnings("ArrayRecordComponent")
  private record Cell(Kind kind, byte[] bytes, byte[] sql) {}

  private final List<Cell> cells = new ArrayList<>();
  private final LiteralText literals;

  /** {@code _latin1 } before hexadecimal strings; empty where strings can stand as they are. */
  private final byte[] introducer;

  LoadedRow(LiteralText literals, byte[] introducer) {
    this.literals = literals;
    this.introducer = introducer;
  }

  /** Adds a field. */
  void field(byte @Nullable [] text) {
    if (text == null) {
      cells.add(new Cell(Kind.NULL, NULL, NULL));
      return;
    }
    Kind kind = isInteger(text) ? Kind.INTEGER : Kind.STRING;
    cells.add(new Cell(kind, text, literal(text)));
  }

  /**
   * Adds a field whose characters need not be whole, in bytes that its column makes the same of.
   */
  void field(byte @Nullable [] text, String charset, KeyColumn column) {
    CharacterBytes characters = CharacterBytes.of(charset);
    if (text == null || characters.areWhole(text)) {
      field(text);
    } else if (column.type().isString()
        && !column.charset().equals(charset)
        && !column.charset().equals("binary")) {
      field(characters.marked(text));
    } else {
      ByteArrayOutputStream out = new ByteArrayOutputStream(text.length + 16);
      out.writeBytes(BINARY);
      LiteralText.hex(text, 0, text.length, out);
      cells.add(new Cell(Kind.STRING, text, out.toByteArray()));
    }
  }

  /** Adds the column's default. */
  void defaultValue() {
    cells.add(new Cell(Kind.FLOAT, new byte[0], DEFAULT));
  }

  /** Adds an expression. */
  void expression(String sql) {
    byte[] text = sql.strip().getBytes(StandardCharsets.ISO_8859_1);
    if (sql.strip().equalsIgnoreCase("NULL")) {
      cells.add(new Cell(Kind.NULL, NULL, NULL));
    } else {
      cells.add(new Cell(isInteger(text) ? Kind.INTEGER : Kind.FLOAT, text, text));
    }
  }

  /** A string literal. */
  byte[] literal(byte[] text) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(text.length + 16);
    if (introducer.length == 0) {
      literals.quoted(text, 0, text.length, out);
    } else {
      out.writeBytes(introducer);
      LiteralText.hex(text, 0, text.length, out);
    }
    return out.toByteArray();
  }

  static boolean isInteger(byte[] text) {
    int start = text.length > 1 && text[0] == '-' ? 1 : 0;
    if (text.length == 0 || text.length > 18 || (text[start] == '0' && text.length > 1)) {
      return false;
    }
    for (int i = start; i < text.length; i++) {
      if (text[i] < '0' || text[i] > '9') {
        return false;
      }
    }
    return true;
  }

  @Override
  public void id(int cell, long made) {
    byte[] digits = Long.toString(made).getBytes(StandardCharsets.US_ASCII);
    cells.set(cell, new Cell(Kind.INTEGER, digits, digits));
  }

  @Override
  public boolean isDefault(int cell) {
    return cells.get(cell).sql == DEFAULT;
  }

  @Override
  public OptionalLong wholeNumber(int cell) {
    return kind(cell) == Kind.FLOAT ? OptionalLong.empty() : InsertCells.super.wholeNumber(cell);
  }

  @Override
  public int count() {
    return cells.size();
  }

  @Override
  public Kind kind(int cell) {
    return cells.get(cell).kind;
  }

  @Override
  public boolean fitsLong(int cell) {
    return true;
  }

  @Override
  public long longValue(int cell) {
    return Long.parseLong(new String(cells.get(cell).bytes, StandardCharsets.US_ASCII));
  }

  @Override
  public byte[] bytes(int cell) {
    return cells.get(cell).bytes;
  }

  @Override
  public void appendRow(ByteArrayOutputStream out) {
    for (int i = 0; i < cells.size(); i++) {
      out.write(i == 0 ? '(' : ',');
      out.writeBytes(cells.get(i).sql);
    }
    out.write(')');
  }
}
