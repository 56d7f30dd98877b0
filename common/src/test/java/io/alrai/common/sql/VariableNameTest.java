package io.alrai.common.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.common.error.AlraiException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VariableNameTest {
  @Test
  void namesAreInLowerCase() {
    assertEquals("sql_mode", VariableName.of("SQL_Mode").text());
    assertEquals("cache.key_buffer_size", VariableName.of("cache.key_buffer_size").text());
    assertEquals(VariableName.of("a"), VariableName.of("A"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        ".",
        "a.",
        ".a",
        "a.b.c",
        "a b",
        "a`b",
        "a'b",
        "a;drop database d; -- ",
        "version union all select secret from t",
        "sort_buffer_size=262144, @@global.super_read_only",
        "a\n",
        "a\u0000",
        "a-b",
        "ä",
        "İ",
        "12345678901234567890123456789012345678901234567890123456789012345"
      })
  void nothingElseIsOne(String written) {
    AlraiException refused = assertThrows(AlraiException.class, () -> VariableName.of(written));
    assertEquals(1193, refused.errno());
  }
}
