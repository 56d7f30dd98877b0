package io.alrai.cn.routine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.type.MysqlType;
import io.alrai.executor.fragment.SlotValues.Kind;
import io.alrai.optimizer.api.text.LexicalMode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

final class JsonDecimalsTest {
  @Test
  void findsWhatIsNoDouble() {
    assertEquals(List.of(), JsonDecimals.of("{\"a\": \"1.500\", \"b\": null}"));
    assertEquals(
        List.of(),
        JsonDecimals.of("[1.5, 2.0, 10000000.0, -0.1, 1e300, 1.5e-7, 18446744073709551615]"));
    assertEquals(List.of(found("$", "1.500")), JsonDecimals.of("1.500"));
    assertEquals(
        List.of(found("$.\"a\"", "1.50"), found("$.\"b\"[1].\"c \\\"}\"", "-2.00")),
        JsonDecimals.of("{\"a\": 1.50, \"b\": [1.5, {\"c \\\"}\": -2.00}, []], \"d\": {}}"));
    assertEquals(
        List.of(found("$[0]", "18446744073709551616"), found("$[2]", "0.12345678901234567890")),
        JsonDecimals.of("[18446744073709551616, 7, 0.12345678901234567890]"));
  }

  @Test
  void putsThemIntoADocument() {
    assertEquals("CAST('[1.5]' AS JSON)", sql("[1.5]"));
    assertEquals(
        "JSON_SET(CAST('{\\\"a\\\": 1.50}' AS JSON), '$.\\\"a\\\"', 1.50)".replace("\\\"", "\""),
        sql("{\"a\": 1.50}"));
  }

  private static String sql(String document) {
    byte[] text = document.getBytes(StandardCharsets.UTF_8);
    return new LocalValue(Kind.STRING, text, MysqlType.JSON, false, "").sql(LexicalMode.DEFAULT);
  }

  private static JsonDecimals.Found found(String path, String digits) {
    return new JsonDecimals.Found(path, digits);
  }
}
