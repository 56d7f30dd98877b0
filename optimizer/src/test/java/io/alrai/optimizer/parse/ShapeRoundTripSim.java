package io.alrai.optimizer.parse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.optimizer.api.shape.ShapeScanner;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.api.shape.TextSlotValues;
import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.text.ParameterSource;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.TokenScanner;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Random token soup: the shape with its slots' texts put back reads as the same tokens, and any
 * bytes at all are scanned without failing.
 */
final class ShapeRoundTripSim {
  private static final List<String> PIECES =
      List.of(
          "a",
          "t1",
          "select",
          "INSERT",
          "values",
          "where",
          "and",
          "in",
          "limit",
          "order by",
          "null",
          "cast(",
          "as decimal(",
          "(",
          "(",
          ")",
          ")",
          ",",
          ",",
          ",",
          ".",
          "+",
          "-",
          "*",
          "=",
          "<=>",
          "->",
          "->>",
          "1",
          "23",
          "-5",
          "+7",
          "1.5",
          ".5",
          "1e3",
          "'x'",
          "'it''s'",
          "'a\\'b'",
          "\"q\"",
          "x'41'",
          "0x42",
          "b'01'",
          "_binary 'z'",
          "_latin1'y'",
          "N'n'",
          "@a",
          "@@b",
          "`q`",
          "?",
          "/* c */",
          "-- l\n",
          "#h\n",
          "/*! in */",
          "/*+ hint */",
          "case when",
          "then",
          "in (",
          "row(",
          "date '2020-01-01'",
          "interval 3 day",
          "on duplicate key update",
          "union",
          "/*!99999 out */",
          "é");

  private static final List<String> STARTS =
      List.of("select ", "insert into t values ", "update t set ", "(", "replace t value ", "set ");

  @Test
  void slotsPutBackGiveTheSameTokens() {
    long seed = 20260101;
    for (int round = 0; round < 60_000; round++) {
      Random random = new Random(seed + round);
      String sql = soup(random);
      ShapedText shaped = ShapedText.of(sql);
      String expected = TokenTexts.of(sql, LexicalMode.DEFAULT);
      assertEquals(expected, tokensOfFilledShape(shaped), "seed " + (seed + round) + ": " + sql);
    }
  }

  @Test
  void anyBytesAreScanned() {
    long seed = 20260102;
    byte[] alphabet = "ab'\"`\\@#-/*!?+09x.e(),;= \n\0é_:<>".getBytes(StandardCharsets.UTF_8);
    ShapeScanner scanner = new ShapeScanner();
    for (int round = 0; round < 100_000; round++) {
      Random random = new Random(seed + round);
      byte[] sql = new byte[random.nextInt(40)];
      for (int i = 0; i < sql.length; i++) {
        sql[i] = alphabet[random.nextInt(alphabet.length)];
      }
      LexicalMode mode =
          new LexicalMode(StandardCharsets.UTF_8, random.nextBoolean(), random.nextBoolean());
      scanner.scan(sql, 0, sql.length, mode);
      assertTrue(scanner.length() <= sql.length, "seed " + (seed + round));
      assertTrue(scanner.sameShape(scanner.snapshot()), "seed " + (seed + round));
    }
  }

  private static String soup(Random random) {
    StringBuilder sql = new StringBuilder(STARTS.get(random.nextInt(STARTS.size())));
    boolean rows = random.nextInt(4) == 0;
    int count = random.nextInt(12);
    for (int i = 0; i < count; i++) {
      if (rows) {
        sql.append("(").append(pick(random)).append(",").append(pick(random)).append("), ");
      } else {
        sql.append(pick(random)).append(random.nextInt(5) == 0 ? "" : " ");
      }
    }
    return sql.toString();
  }

  private static String pick(Random random) {
    return PIECES.get(random.nextInt(PIECES.size()));
  }

  /** Folded rows are written out again, each with its own slots. */
  private static String tokensOfFilledShape(ShapedText shaped) {
    TextSlotValues values = new TextSlotValues(shaped, new QuestionMarks());
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] shape = shaped.shapeBytes();
    TokenScanner tokens = new TokenScanner();
    tokens.reset(shape, 0, shape.length, LexicalMode.DEFAULT);
    int slot = 0;
    int copied = 0;
    int rowStart = -1;
    for (TokenKind kind = tokens.next(); kind != TokenKind.END; kind = tokens.next()) {
      if (shaped.foldedRows() > 0 && rowStart < 0 && isFirstRow(shaped, shape, tokens, kind)) {
        out.write(shape, copied, tokens.start() - copied);
        for (int row = 0; row < shaped.foldedRows(); row++) {
          out.write(row == 0 ? ' ' : ',');
          byte[] text = shaped.textBytes();
          out.write(text, shaped.rowStart(row), shaped.rowEnd(row) - shaped.rowStart(row));
        }
        rowStart = tokens.start();
        slot += shaped.foldedRows() * shaped.slotsPerRow();
        skipRow(tokens);
        copied = tokens.end();
      } else if (kind == TokenKind.PARAMETER) {
        out.write(shape, copied, tokens.start() - copied);
        values.appendSql(slot++, out);
        copied = tokens.end();
      }
    }
    out.write(shape, copied, shape.length - copied);
    byte[] filled = out.toByteArray();
    assertEquals(shaped.slotCount(), slot);
    return TokenTexts.of(filled, filled.length, LexicalMode.DEFAULT);
  }

  private static boolean isFirstRow(
      ShapedText shaped, byte[] shape, TokenScanner tokens, TokenKind kind) {
    if (kind != TokenKind.OPEN) {
      return false;
    }
    String before = new String(shape, 0, tokens.start(), StandardCharsets.UTF_8);
    String text = shaped.text();
    int rowChar =
        new String(shaped.textBytes(), 0, shaped.rowStart(0), StandardCharsets.UTF_8).length();
    // The soup has nothing before its rows but the start of the statement.
    return before.endsWith("values ")
        || before.endsWith("value ")
        || TokenTexts.of(text.substring(0, rowChar), LexicalMode.DEFAULT)
            .equals(TokenTexts.of(before, LexicalMode.DEFAULT));
  }

  private static void skipRow(TokenScanner tokens) {
    int depth = 1;
    while (depth > 0) {
      switch (tokens.next()) {
        case OPEN -> depth++;
        case CLOSE -> depth--;
        case END -> throw new AssertionError("a row without an end");
        default -> {}
      }
    }
  }

  /** Parameters stand for themselves. */
  private static final class QuestionMarks implements ParameterSource {
    @Override
    public io.alrai.executor.fragment.SlotValues.Kind kind(int parameter) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean fitsLong(int parameter) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long longValue(int parameter) {
      throw new UnsupportedOperationException();
    }

    @Override
    public byte[] bytes(int parameter) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void appendSql(int parameter, ByteArrayOutputStream out) {
      out.write('?');
    }
  }
}
