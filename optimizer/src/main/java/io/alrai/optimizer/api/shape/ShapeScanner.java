package io.alrai.optimizer.api.shape;

import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.text.StatementKind;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.TokenScanner;
import java.util.Arrays;

/**
 * Cuts a statement into shape and slots in one pass, without an object for any token. An event loop
 * keeps one scanner and refills it for each statement; what it says is valid until the next {@link
 * #scan}. For work that outlives this, and for a plan cache's key, take {@link #snapshot}. Not
 * thread-safe.
 *
 * <p>Only statements over data get slots for their literals; others keep them in the shape. A
 * client's {@code ?} is a slot everywhere. A plan cache finds a candidate by {@link #shapeHash} and
 * must then ask {@link #sameShape}.
 */
public final class ShapeScanner implements ShapedStatement {
  /** A text of more bytes is shared with its snapshots where it is all of its array. */
  public static final int SHARED_BEYOND = 1 << 16;

  private final TokenScanner tokens = new TokenScanner();
  private final ShapeWriter writer = new ShapeWriter(tokens);
  private final ShapeBuffer shape = writer.shape();
  private final PositionList slots = writer.slots();
  private final RowFolder rows = writer.rows();

  private byte[] sql = new byte[0];
  private int offset;
  private int end;
  private int textEnd;
  private LexicalMode mode = LexicalMode.DEFAULT;
  private long hash;

  /** An empty scanner. */
  public ShapeScanner() {
    scan(sql, 0, 0, mode);
  }

  /**
   * Scans one statement: up to the first semicolon that separates statements, or the end.
   *
   * @param text the bytes; they must not change while this scan's positions are in use, nor ever
   *     when there are more than {@value #SHARED_BEYOND}
   * @param from index of the first byte
   * @param count how many bytes
   */
  public void scan(byte[] text, int from, int count, LexicalMode lexicalMode) {
    sql = text;
    offset = from;
    textEnd = from + count;
    mode = lexicalMode;
    writer.start(text, from, lexicalMode);
    tokens.reset(text, from, textEnd, lexicalMode);
    TokenKind kind = tokens.next();
    while (kind != TokenKind.END && (kind != TokenKind.SEMICOLON || writer.inRoutineBody())) {
      writer.accept(kind);
      kind = tokens.next();
    }
    end = kind == TokenKind.SEMICOLON ? tokens.start() : textEnd;
    rows.finish();
    hash = shape.hash(seed(lexicalMode));
  }

  static long seed(LexicalMode mode) {
    return (mode.ansiQuotes() ? 1L : 2L) + (mode.noBackslashEscapes() ? 4L : 8L);
  }

  // What is known of the statement

  /** What the first word says. */
  public StatementKind kind() {
    return writer.kind();
  }

  /** Whether a comment stands in it; an empty statement without one is an error in MySQL. */
  public boolean hasComment() {
    return tokens.sawComment();
  }

  /** The statement's length in bytes, without the semicolon that ends it. */
  public int length() {
    return end - offset;
  }

  /** Where the next statement starts, after the semicolon, counted from this one's start. */
  public int consumed() {
    return Math.min(end + 1, textEnd) - offset;
  }

  /** Whether more than blanks and semicolons follows the statement. */
  public boolean hasMore() {
    for (int at = end; at < textEnd; at++) {
      byte next = sql[at];
      if (next != ';' && next != ' ' && (next < 0x09 || next > 0x0d)) {
        return true;
      }
    }
    return false;
  }

  /** How the text was read. */
  public LexicalMode mode() {
    return mode;
  }

  /** Whether this statement and that one have the same shape in the same lexical mode. */
  public boolean sameShape(ShapedText other) {
    return hash == other.shapeHash()
        && mode.equals(other.mode())
        && shape.contentEquals(other.shapeBytes());
  }

  /** A copy that lasts: bytes, shape and positions. */
  public ShapedText snapshot() {
    boolean shared = sql.length > SHARED_BEYOND && offset == 0 && end == sql.length;
    byte[] text = shared ? sql : Arrays.copyOfRange(sql, offset, end);
    byte[] shapeBytes = shape.copy(0, shape.length());
    return new ShapedText(this, text, shapeBytes, slots.copy(), rows.rows().copy());
  }

  /** The shape's length in bytes. */
  public int shapeLength() {
    return shape.length();
  }

  ShapeBuffer shapeBuffer() {
    return shape;
  }

  @Override
  public long shapeHash() {
    return hash;
  }

  @Override
  public String shape() {
    return shape.decode(mode.charset());
  }

  @Override
  public String text() {
    return new String(sql, offset, end - offset, mode.charset());
  }

  @Override
  public int slotCount() {
    return slots.count();
  }

  @Override
  public int parameter(int slot) {
    int slotEnd = slots.end(slot);
    return slotEnd < 0 ? -1 - slotEnd : -1;
  }

  @Override
  public String slotText(int slot) {
    int start = slotStart(slot);
    return new String(sql, offset + start, slotEnd(slot) - start, mode.charset());
  }

  @Override
  public int slotStart(int slot) {
    return slots.start(slot);
  }

  @Override
  public int slotEnd(int slot) {
    int slotEnd = slots.end(slot);
    return slotEnd < 0 ? slots.start(slot) + 1 : slotEnd;
  }

  @Override
  public int foldedRows() {
    return rows.count();
  }

  @Override
  public int slotsPerRow() {
    return rows.slotsPerRow();
  }

  @Override
  public int firstRowSlot() {
    return rows.firstSlot();
  }

  @Override
  public int rowStart(int row) {
    return rows.rows().start(row);
  }

  @Override
  public int rowEnd(int row) {
    return rows.rows().end(row);
  }
}
