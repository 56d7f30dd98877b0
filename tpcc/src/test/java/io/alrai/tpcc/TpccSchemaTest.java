package io.alrai.tpcc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

final class TpccSchemaTest {
  @Test
  void plainMysqlGetsPlainTables() {
    List<String> statements = new TpccSchema(TpccDialect.MYSQL, 4).statements();
    assertEquals(TpccSchema.TABLES.size(), statements.size());
    for (int i = 0; i < statements.size(); i++) {
      assertTrue(statements.get(i).startsWith("CREATE TABLE " + TpccSchema.TABLES.get(i) + " ("));
      assertFalse(statements.get(i).contains("PARTITION"), statements.get(i));
    }
  }

  @Test
  void alraiKeepsWarehousesTogetherAndItemsEverywhere() {
    List<String> statements = new TpccSchema(TpccDialect.ALRAI, 4).statements();
    for (String statement : statements) {
      if (statement.contains(" item ")) {
        assertTrue(statement.endsWith(" BROADCAST"), statement);
      } else {
        assertTrue(
            statement.matches("(?s).*PARTITION BY KEY\\([a-z_]*w_id\\) PARTITIONS 4"), statement);
      }
    }
  }

  @Test
  void theServersCommentTellsTheDialect() {
    assertEquals(TpccDialect.ALRAI, TpccDialect.ofVersionComment("Alrai 0.1"));
    assertEquals(TpccDialect.MYSQL, TpccDialect.ofVersionComment("MySQL Community Server - GPL"));
  }
}
