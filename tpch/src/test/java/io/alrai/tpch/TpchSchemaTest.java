package io.alrai.tpch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.trino.tpch.TpchTable;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TpchSchemaTest {
  @Test
  void columnsAreThoseOfTheGeneratorInItsOrder() {
    List<String> statements = new TpchSchema(TpchDialect.MYSQL, 4, true).statements();
    for (int i = 0; i < statements.size(); i++) {
      List<String> defined =
          statements
              .get(i)
              .lines()
              .filter(line -> line.contains(" NOT NULL"))
              .map(line -> line.strip().replaceFirst(" .*", ""))
              .toList();
      List<String> generated =
          TpchTable.getTable(TpchSchema.TABLES.get(i)).getColumns().stream()
              .map(column -> column.getColumnName())
              .toList();
      assertEquals(generated, defined);
    }
  }

  @Test
  void plainMysqlGetsPlainTables() {
    for (String statement : new TpchSchema(TpchDialect.MYSQL, 4, false).statements()) {
      assertTrue(statement.endsWith("ENGINE=InnoDB"), statement);
      assertFalse(statement.contains("\n  KEY"), statement);
    }
  }

  @Test
  void alraiSpreadsByKeyAndCopiesTheSmallOnes() {
    List<String> statements = new TpchSchema(TpchDialect.ALRAI, 8, true).statements();
    assertTrue(statements.get(0).endsWith(" BROADCAST"));
    assertTrue(statements.get(1).endsWith(" BROADCAST"));
    assertTrue(statements.get(6).endsWith(" PARTITION BY KEY(o_orderkey) PARTITIONS 8"));
    assertTrue(statements.get(7).endsWith(" PARTITION BY KEY(l_orderkey) PARTITIONS 8"));
    assertEquals(3, statements.get(7).lines().filter(line -> line.contains("KEY (")).count());
  }
}
