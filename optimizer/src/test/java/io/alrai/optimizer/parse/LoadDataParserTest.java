package io.alrai.optimizer.parse;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.gms.api.Catalog;
import io.alrai.optimizer.api.AdminStatement.FileFormat;
import io.alrai.optimizer.api.AdminStatement.LoadDataLocal;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.api.text.LexicalMode;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What LOAD DATA says of a file, by the session's sql_mode. */
final class LoadDataParserTest {
  private static final String LOAD = "LOAD DATA LOCAL INFILE 'a' INTO TABLE t ";

  private static FileFormat format(String clauses, boolean noBackslashEscapes) {
    LexicalMode mode = new LexicalMode(StandardCharsets.UTF_8, false, noBackslashEscapes);
    Planner.Context context = new Planner.Context(Catalog.EMPTY, "s", false, noBackslashEscapes);
    LoadDataLocal load =
        (LoadDataLocal)
            AdminParser.parse(ShapedText.of(LOAD + clauses, mode), context).orElseThrow();
    return load.format();
  }

  @Test
  void nothingIsAnEscapeUnlessGivenWhereBackslashesAreNone() {
    assertEquals("\\", format("", false).escapedBy());
    assertEquals("", format("", true).escapedBy());
    assertEquals("", format("FIELDS TERMINATED BY ','", true).escapedBy());
    assertEquals("\\", format("FIELDS ESCAPED BY '\\'", true).escapedBy());
    assertEquals("\\t", format("FIELDS TERMINATED BY '\\t'", true).fieldsTerminatedBy());
  }
}
