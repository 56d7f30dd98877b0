package io.alrai.optimizer.parse;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.gms.api.Catalog;
import io.alrai.optimizer.api.AdminStatement.ColumnValue;
import io.alrai.optimizer.api.AdminStatement.FileFormat;
import io.alrai.optimizer.api.AdminStatement.LoadDataLocal;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.FileMark;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.token.TemplateWriter;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What LOAD DATA says of a file, by the session's sql_mode. */
final class LoadDataParserTest {
  private static final String LOAD = "LOAD DATA LOCAL INFILE 'a' INTO TABLE t ";

  private static FileFormat format(String clauses, boolean noBackslashEscapes) {
    return parsed(LOAD + clauses, noBackslashEscapes).format();
  }

  private static FileMark mark(String text) {
    return FileMark.of(text);
  }

  private static LoadDataLocal parsed(String sql, boolean noBackslashEscapes) {
    LexicalMode mode = new LexicalMode(UTF_8, false, noBackslashEscapes);
    Planner.Context context = new Planner.Context(Catalog.EMPTY, "s", false, noBackslashEscapes);
    return (LoadDataLocal) AdminParser.parse(ShapedText.of(sql, mode), context).orElseThrow();
  }

  @Test
  void allClauses() {
    assertEquals(
        new LoadDataLocal(
            "/a.csv",
            new TableName(Optional.of("d"), "t"),
            "",
            new FileFormat("", mark("\t"), mark(""), false, mark("\\"), mark(""), mark("\n"), 0),
            List.of(),
            List.of()),
        parsed("LOAD DATA LOCAL INFILE '/a.csv' INTO TABLE d.t", false));
    assertEquals(
        new LoadDataLocal(
            "a",
            new TableName(Optional.empty(), "t"),
            "IGNORE",
            new FileFormat(
                "utf8mb4", mark(","), mark("\""), true, mark(""), mark(">"), mark("\r\n"), 2),
            List.of("a", "@v", "c"),
            List.of(
                new ColumnValue("b", TemplateWriter.text("UPPER(@v)")),
                new ColumnValue("d", TemplateWriter.text("DEFAULT")))),
        parsed(
            "LOAD DATA LOW_PRIORITY LOCAL INFILE 'a' IGNORE INTO TABLE t CHARACTER SET utf8mb4"
                + " COLUMNS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '\"' ESCAPED BY ''"
                + " LINES STARTING BY '>' TERMINATED BY '\\r\\n' IGNORE 2 ROWS"
                + " (a, @V, t.c) SET b = UPPER(@v), d = DEFAULT",
            false));
    assertEquals(
        new LoadDataLocal(
            "a",
            new TableName(Optional.empty(), "t"),
            "REPLACE",
            new FileFormat(
                "", new FileMark(",", true), mark(""), false, mark("\\"), mark(""), mark("\n"), 0),
            List.of(),
            List.of()),
        parsed(
            "LOAD DATA LOCAL INFILE 'a' REPLACE INTO TABLE t FIELDS TERMINATED BY x'2c' ()",
            false));
  }

  @Test
  void marksAreCharactersOfTheConnectionOrBytes() {
    FileMark string = format("FIELDS TERMINATED BY '§'", false).fieldsTerminatedBy();
    assertArrayEquals(new byte[] {(byte) 0xc2, (byte) 0xa7}, string.bytes(UTF_8));
    assertArrayEquals(new byte[] {(byte) 0xa7}, string.bytes(ISO_8859_1));
    FileMark bytes = format("FIELDS TERMINATED BY 0xA7", false).fieldsTerminatedBy();
    assertArrayEquals(new byte[] {(byte) 0xa7}, bytes.bytes(UTF_8));
  }

  @Test
  void nothingIsAnEscapeUnlessGivenWhereBackslashesAreNone() {
    assertEquals("\\", format("", false).escapedBy().text());
    assertEquals("", format("", true).escapedBy().text());
    assertEquals("", format("FIELDS TERMINATED BY ','", true).escapedBy().text());
    assertEquals("\\", format("FIELDS ESCAPED BY '\\'", true).escapedBy().text());
    assertEquals("\\t", format("FIELDS TERMINATED BY '\\t'", true).fieldsTerminatedBy().text());
  }
}
