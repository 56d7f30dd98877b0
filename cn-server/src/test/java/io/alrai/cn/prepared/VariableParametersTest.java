package io.alrai.cn.prepared;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.settings.VariableValue;
import io.alrai.executor.fragment.SlotValues.Kind;
import io.alrai.optimizer.api.text.LexicalMode;
import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class VariableParametersTest {
  private static VariableParameters of(LexicalMode mode, String... literals) {
    return new VariableParameters(List.of(literals).stream().map(VariableValue::of).toList(), mode);
  }

  private static String sql(VariableParameters parameters, int index) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    parameters.appendSql(index, out);
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void valuesStandInSqlAsWhatTheyAre() {
    VariableParameters parameters =
        of(
            LexicalMode.DEFAULT,
            "5",
            "1.50",
            "1e3",
            "NULL",
            "_utf8mb4 x'6127' COLLATE utf8mb4_0900_ai_ci",
            "x'00'");
    assertEquals("5", sql(parameters, 0));
    assertEquals("1.50", sql(parameters, 1));
    assertEquals("1e3", sql(parameters, 2));
    assertEquals("NULL", sql(parameters, 3));
    assertEquals("'a'''", sql(parameters, 4));
    assertEquals(5, parameters.longValue(0));
  }

  @Test
  void wholeNumbersBeyond64BitsAreKnown() {
    VariableParameters parameters =
        of(
            LexicalMode.DEFAULT,
            "CAST(9223372036854775808 AS UNSIGNED)",
            "CAST(9223372036854775807 AS UNSIGNED)");
    assertFalse(parameters.fitsLong(0));
    assertTrue(parameters.fitsLong(1));
  }

  @Test
  void stringsComeInTheSessionsCharacterSet() {
    LexicalMode latin1 = new LexicalMode(Charset.forName("windows-1252"), false, false);
    VariableParameters parameters = of(latin1, "_utf8mb4 x'c3a9' COLLATE utf8mb4_0900_ai_ci");
    assertEquals(1, parameters.bytes(0).length);
    assertEquals((byte) 0xe9, parameters.bytes(0)[0]);
  }

  @Test
  void stringsKeepWhatTheSessionsCharacterSetLacks() {
    LexicalMode latin1 = new LexicalMode(Charset.forName("windows-1252"), false, false);
    VariableParameters parameters = of(latin1, "_utf8mb4 x'e6bca2' COLLATE utf8mb4_0900_ai_ci");
    assertEquals("_utf8mb4 x'e6bca2'", sql(parameters, 0));
    assertEquals(Kind.FLOAT, parameters.kind(0));
  }
}
