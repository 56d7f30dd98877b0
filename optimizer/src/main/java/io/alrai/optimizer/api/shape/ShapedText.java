package io.alrai.optimizer.api.shape;

import io.alrai.common.sql.TextEncoding;
import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.text.StatementKind;
import java.nio.charset.StandardCharsets;

/** A shaped statement with bytes of its own; immutable, any thread. */
public final class ShapedText implements ShapedStatement {
  private static final byte[] NO_TEXT = {};
  private static final int[] NO_POSITIONS = {};

  private final LexicalMode mode;
  private final StatementKind kind;
  private final long hash;
  private final int firstRowSlot;
  private final int slotsPerRow;
  private final byte[] text;
  private final byte[] shape;
  private final int[] slots;
  private final int[] rows;

  /** What the scanner says now; the arrays are the new text's own. */
  ShapedText(ShapeScanner scanner, byte[] text, byte[] shape, int[] slots, int[] rows) {
    this.mode = scanner.mode();
    this.kind = scanner.kind();
    this.hash = scanner.shapeHash();
    this.firstRowSlot = scanner.firstRowSlot();
    this.slotsPerRow = scanner.slotsPerRow();
    this.text = text;
    this.shape = shape;
    this.slots = slots;
    this.rows = rows;
  }

  private ShapedText(ShapedText other, byte[] shape) {
    this.mode = other.mode;
    this.kind = other.kind;
    this.hash = ~other.hash;
    this.firstRowSlot = other.firstRowSlot;
    this.slotsPerRow = other.slotsPerRow;
    this.text = other.text;
    this.shape = shape;
    this.slots = other.slots;
    this.rows = other.rows;
  }

  private ShapedText(ShapedText other) {
    this.mode = other.mode;
    this.kind = other.kind;
    this.hash = other.hash;
    this.firstRowSlot = 0;
    this.slotsPerRow = 0;
    this.text = NO_TEXT;
    this.shape = other.shape;
    this.slots = NO_POSITIONS;
    this.rows = NO_POSITIONS;
  }

  /** A copy of text, slots and rows with another shape, which has these slots. */
  public ShapedText withShape(String other) {
    return new ShapedText(this, TextEncoding.bytes(other, mode.charset()));
  }

  /** Its shape alone, without text, slots and rows: what a plan for all texts of it is kept by. */
  public ShapedText withoutText() {
    return new ShapedText(this);
  }

  /** Scans the first statement of a text with the default lexical mode. */
  public static ShapedText of(String sql) {
    return of(sql, LexicalMode.DEFAULT);
  }

  /**
   * Scans the first statement of a text.
   *
   * @throws io.alrai.common.error.AlraiException 3854 where the mode's character set lacks a
   *     character of it
   */
  public static ShapedText of(String sql, LexicalMode mode) {
    byte[] bytes = TextEncoding.bytes(sql, mode.charset());
    ShapeScanner scanner = new ShapeScanner();
    scanner.scan(bytes, 0, bytes.length, mode);
    return scanner.snapshot();
  }

  /** A text of Alrai's own, in UTF-8. */
  public static ShapedText of(String sql, boolean ansiQuotes, boolean noBackslashEscapes) {
    return of(sql, new LexicalMode(StandardCharsets.UTF_8, ansiQuotes, noBackslashEscapes));
  }

  /** How the text was read. */
  public LexicalMode mode() {
    return mode;
  }

  /** What the first word says. */
  public StatementKind kind() {
    return kind;
  }

  /** The statement's bytes, not copied: do not write. */
  public byte[] textBytes() {
    return text;
  }

  /** The shape's bytes, not copied: do not write. */
  public byte[] shapeBytes() {
    return shape;
  }

  @Override
  public long shapeHash() {
    return hash;
  }

  @Override
  public String shape() {
    return new String(shape, mode.charset());
  }

  @Override
  public String text() {
    return new String(text, mode.charset());
  }

  @Override
  public int slotCount() {
    return slots.length / 2;
  }

  @Override
  public int parameter(int slot) {
    int end = slots[2 * slot + 1];
    return end < 0 ? -1 - end : -1;
  }

  @Override
  public String slotText(int slot) {
    int start = slotStart(slot);
    return new String(text, start, slotEnd(slot) - start, mode.charset());
  }

  @Override
  public int slotStart(int slot) {
    return slots[2 * slot];
  }

  @Override
  public int slotEnd(int slot) {
    int end = slots[2 * slot + 1];
    return end < 0 ? slots[2 * slot] + 1 : end;
  }

  @Override
  public int foldedRows() {
    return rows.length / 2;
  }

  @Override
  public int slotsPerRow() {
    return slotsPerRow;
  }

  @Override
  public int firstRowSlot() {
    return firstRowSlot;
  }

  @Override
  public int rowStart(int row) {
    return rows[2 * row];
  }

  @Override
  public int rowEnd(int row) {
    return rows[2 * row + 1];
  }
}
