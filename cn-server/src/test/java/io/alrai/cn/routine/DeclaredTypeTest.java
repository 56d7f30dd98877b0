package io.alrai.cn.routine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.type.Collations;
import io.alrai.common.type.MysqlType;
import io.alrai.executor.fragment.SlotValues.Kind;
import io.alrai.optimizer.api.text.LexicalMode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeclaredTypeTest {
  private static final String COLLATION = "utf8mb4_0900_ai_ci";

  private static final Collations COLLATIONS =
      new Collations(
          List.of(new Collations.Collation(8, "latin1_swedish_ci", "latin1", true, true)));

  private static LocalValue value(String text) {
    if (text.startsWith("'")) {
      return LocalValue.ofText(text.substring(1, text.length() - 1));
    }
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    if (text.contains("-") && text.length() == 10) {
      return new LocalValue(Kind.TEMPORAL, bytes, MysqlType.DATE, false, "");
    }
    Kind kind = text.contains("e") ? Kind.FLOAT : text.contains(".") ? Kind.DECIMAL : Kind.INTEGER;
    return kind == Kind.INTEGER
        ? LocalValue.ofDigits(text, false)
        : new LocalValue(kind, bytes, MysqlType.DOUBLE, false, "");
  }

  /** Nothing is expected where a mysqld is asked. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "TINYINT | 127 | 127",
        "TINYINT | 128 |",
        "TINYINT(1) | -128 | -128",
        "BOOL | 1 | 1",
        "INT | 2.5 | 3",
        "INT | -2.5 | -3",
        "INT | '5' |",
        "INT UNSIGNED | 4294967295 | CAST(4294967295 AS UNSIGNED)",
        "INT UNSIGNED | -1 |",
        "INT ZEROFILL | 1 |",
        "BIGINT | 9223372036854775808 |",
        "DECIMAL(5,2) | 123.4 | 123.40",
        "DECIMAL(5,2) | 123.456 |",
        "DECIMAL(5,2) | 1234 |",
        "DECIMAL | 12 | 12.",
        "VARCHAR(3) | 'abc' | 'abc'",
        "VARCHAR(3) | 'abcd' |",
        "VARCHAR(3) | 123 | '123'",
        "VARCHAR(3) CHARSET latin1 | 'abc' |",
        "VARCHAR(9) COLLATE utf8mb4_bin | 'a' | (CONVERT('a' USING utf8mb4) COLLATE utf8mb4_bin)",
        "CHAR(3) | 'a ' |",
        "DATE | 2024-02-29 | DATE'2024-02-29'",
        "DATE | '2024-02-29' |",
        "DATETIME | 2024-02-29 |",
        "DOUBLE | 5 | 5e0",
        "DOUBLE | 1.5e3 | 1.5e3",
        "FLOAT | 5 |",
        "BLOB | 'a' |",
      })
  void conversions(String declared, String given, String expected) {
    DeclaredType type = DeclaredType.of(declared, COLLATION, COLLATION, COLLATIONS);
    assertEquals(
        Optional.ofNullable(expected),
        type.converted(value(given)).map(made -> made.sql(LexicalMode.DEFAULT)));
  }
}
