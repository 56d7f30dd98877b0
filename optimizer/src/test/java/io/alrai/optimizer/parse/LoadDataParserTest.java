package io.alrai.optimizer.parse;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.gms.api.Catalog;
import io.alrai.optimizer.api.AdminStatement.FileFormat;
import io.alrai.optimizer.api.AdminStatement.LoadDataLocal;
import io.alrai.optimizer.api.FileMark;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.api.text.LexicalMode;
import org.junit.jupiter.api.Test;

/** What LOAD DATA says of a file, by the session's sql_mode. */
final class LoadDataParserTest {
  private static final String LOAD = "LOAD DATA LOCAL INFILE 'a' INTO TABLE t ";

  private static FileFormat format(String clauses, boolean noBackslashEscapes) {
    LexicalMode mode = new LexicalMode(UTF_8, false, noBackslashEscapes);
    Planner.Context context = new Planner.Context(Catalog.EMPTY, "s", false, noBackslashEscapes);
    LoadDataLocal load =
        (LoadDataLocal)
            AdminParser.parse(ShapedText.of(LOAD + clauses, mode), context).orElseThrow();
    return load.format();
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
