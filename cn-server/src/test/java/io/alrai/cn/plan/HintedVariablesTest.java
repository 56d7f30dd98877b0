package io.alrai.cn.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.alrai.optimizer.api.Need;
import io.alrai.optimizer.api.Needs;
import io.alrai.optimizer.api.shape.ShapedText;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class HintedVariablesTest {
  private static List<String> asked(String sql) {
    return HintedVariables.add(Needs.NONE, ShapedText.of(sql).shape()).all().stream()
        .map(need -> ((Need.Global) need).names())
        .toList();
  }

  @Test
  void aHintNeedsWhatSetNeeds() {
    String session = "SYSTEM_VARIABLES_ADMIN or SESSION_VARIABLES_ADMIN";
    assertEquals(List.of(session), asked("SELECT /*+ SET_VAR(max_error_count = 0) */ a FROM t"));
    assertEquals(
        List.of("SUPER, " + session),
        asked(
            "SELECT /*+ SET_VAR(foreign_key_checks=0) set_var ( `Sql_Require_Primary_Key`=1) */ 1"));
    assertEquals(
        List.of("SUPER, " + session),
        asked(
            "INSERT /*+ MAX_EXECUTION_TIME(5) SET_VAR(xa_detach_on_prepare=0)*/ INTO t VALUES (1)"));
  }

  @Test
  void namesInAnyQuotesAreFound() {
    String session = "SYSTEM_VARIABLES_ADMIN or SESSION_VARIABLES_ADMIN";
    assertEquals(List.of(session), asked("SELECT /*+ SET_VAR(`max_error_count` = 0) */ 1"));
    assertEquals(List.of(session), asked("SELECT /*+ SET_VAR(\"max_error_count\" = 0) */ 1"));
  }

  @Test
  @Timeout(10)
  void manyHintsWithoutAnEndTakeNoLonger() {
    String text = "SELECT " + "/*+ SET_VAR(max_error_count=0) ".repeat(200_000);
    assertSame(Needs.NONE, HintedVariables.add(Needs.NONE, text));
  }

  @Test
  void otherTextsNeedNothingMore() {
    for (String sql :
        List.of(
            "SELECT 1",
            "SELECT /*+ SET_VAR(sort_buffer_size=1000000) SET_VAR(nosuch=1) */ 1",
            "SELECT /* SET_VAR(max_error_count=0) */ 1",
            "SELECT '/*+ SET_VAR(max_error_count=0) */'")) {
      assertEquals(List.of(), asked(sql), sql);
    }
    assertSame(Needs.NONE, HintedVariables.add(Needs.NONE, "SELECT 1"));
  }
}
