package io.alrai.cn.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class JsonLiteralTest {
  private static String sql(String value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    JsonLiteral.append(value.getBytes(StandardCharsets.UTF_8), new LiteralText(false, true), out);
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void textsStayTexts() {
    assertEquals("_utf8mb4 '{\"a\": true}'", sql("{\"a\": true}"));
    assertEquals("_utf8mb4 '[1, 2.5]'", sql("!ARRAY~~[\"INTEGER\", \"DOUBLE\"]~[1, 2.5]"));
  }

  @Test
  void scalarsAreLiteralsOfTheirTypes() {
    assertEquals("CAST(12.50 AS JSON)", sql("!DECIMAL~~~12.50"));
    assertEquals("CAST(7. AS JSON)", sql("!DECIMAL~~~7"));
    assertEquals("CAST(CAST(7 AS UNSIGNED) AS JSON)", sql("!UNSIGNED INTEGER~~~7"));
    assertEquals(
        "CAST(CAST(_utf8mb4 '2024-02-29' AS DATE) AS JSON)", sql("!DATE~~~\"2024-02-29\""));
    assertEquals(
        "CAST(FROM_BASE64(_utf8mb4 'QUI=') AS JSON)", sql("!BLOB~~~\"base64:type15:QUI=\""));
  }

  @Test
  void whatIsAroundThemIsMadeOfParts() {
    assertEquals(
        "JSON_ARRAY(CAST(_utf8mb4 '1' AS JSON),1.50,CAST(_utf8mb4 '\"~,]\"' AS JSON))",
        sql("!ARRAY~~[\"INTEGER\", \"DECIMAL\", \"STRING\"]~[1, 1.50, \"~,]\"]"));
    assertEquals(
        "JSON_OBJECT(JSON_UNQUOTE(_utf8mb4 '\"a\"'),JSON_ARRAY(JSON_OBJECT(JSON_UNQUOTE(_utf8mb4 '\"n\"'),"
            + "CAST(_utf8mb4 '10:11:12.000000' AS TIME(6)))),JSON_UNQUOTE(_utf8mb4 '\"bb\"'),CAST(_utf8mb4 '{}' AS JSON))",
        sql(
            "!OBJECT~[\"ARRAY\", \"OBJECT\", \"TIME\"]~[\"OBJECT\"]"
                + "~{\"a\": [{\"n\": \"10:11:12.000000\"}], \"bb\": {}}"));
  }
}
