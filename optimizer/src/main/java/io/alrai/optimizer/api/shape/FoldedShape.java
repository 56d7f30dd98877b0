package io.alrai.optimizer.api.shape;

import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.TokenScanner;

/**
 * A statement's shape without the literals that it has kept: all of them where the statement is not
 * over data, and those that stand where structure stands. Numbers become {@code 0} and strings
 * {@code ''}, so that statements with equal results have one digest in MySQL. What it says is valid
 * until the next {@link #fold}. Not thread-safe.
 */
public final class FoldedShape {
  private static final byte[] NUMBER = {'0'};
  private static final byte[] STRING = {'\'', '\''};
  private static final byte[] BROKEN = {'\''};
  private static final byte[] MARK = {'?'};

  private final TokenScanner tokens = new TokenScanner();
  private final ShapeBuffer folded = new ShapeBuffer();
  private final ShapeScanner scanner = new ShapeScanner();

  /** Takes a statement; returns false, and folds nothing, where its shape has no literals. */
  public boolean fold(ShapedStatement statement) {
    if (statement instanceof ShapeScanner scanned) {
      return fold(scanned.shapeBuffer().bytes(), scanned.shapeLength(), scanned.mode());
    }
    return statement instanceof ShapedText text
        && fold(text.shapeBytes(), text.shapeBytes().length, text.mode());
  }

  private boolean fold(byte[] shape, int length, LexicalMode mode) {
    if (!replace(shape, length, mode, NUMBER, STRING, BROKEN)) {
      return false;
    }
    byte[] text = folded.copy(0, folded.length());
    scanner.scan(text, 0, text.length, mode);
    return true;
  }

  /** What was folded last, as a statement. */
  public ShapeScanner scanner() {
    return scanner;
  }

  /** A shape as anybody may see it: with {@code ?} for each literal that it has kept. */
  public static String masked(ShapedText shaped) {
    FoldedShape masked = new FoldedShape();
    byte[] shape = shaped.shapeBytes();
    return masked.replace(shape, shape.length, shaped.mode(), MARK, MARK, MARK)
        ? masked.folded.decode(shaped.mode().charset())
        : shaped.shape();
  }

  /** Writes the shape with these for its literals; returns whether there are any. */
  private boolean replace(
      byte[] shape, int length, LexicalMode mode, byte[] number, byte[] string, byte[] broken) {
    folded.clear();
    tokens.reset(shape, 0, length, mode);
    int from = 0;
    TokenKind kind = tokens.next();
    while (kind != TokenKind.END) {
      byte[] instead =
          switch (kind) {
            case INTEGER, DECIMAL, FLOAT, HEX, BIT -> number;
            case BROKEN -> broken;
            default -> string;
          };
      int start = literal(kind, shape, mode);
      if (start >= 0) {
        folded.append(shape, from, start);
        folded.append(instead, 0, instead.length);
        from = tokens.end();
      }
      kind = tokens.next();
    }
    folded.append(shape, from, length);
    return from > 0;
  }

  /** Where the literal of this token starts; negative for none. */
  private int literal(TokenKind kind, byte[] shape, LexicalMode mode) {
    int start = tokens.start();
    return switch (kind) {
      case STRING, NATIONAL_STRING, HEX, BIT, INTEGER, DECIMAL, FLOAT, BROKEN -> start;
      case USER_VARIABLE -> {
        byte quote = start + 1 < tokens.end() ? shape[start + 1] : 0;
        boolean string = quote == '\'' || quote == '"' && !mode.ansiQuotes();
        yield string ? start + 1 : -1; // MySQL reads @'name' as a sign and a string
      }
      default -> -1;
    };
  }
}
