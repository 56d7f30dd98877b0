package io.alrai.cn.ddl.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.ddl.job.TableText.ForeignKey;
import io.alrai.cn.ddl.rule.ImplicitKey;
import io.alrai.cn.ddl.rule.InverseAlter;
import io.alrai.cn.ddl.rule.PhysicalText;
import io.alrai.cn.ddl.step.Conversions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableTextTest {
  private static final String TEXT =
      """
      CREATE TABLE `t` (
        `id` int NOT NULL AUTO_INCREMENT,
        `a``b` varchar(10) CHARACTER SET latin1 DEFAULT 'x,` y',
        `e` enum('a','b)') DEFAULT NULL COMMENT 'c, d',
        PRIMARY KEY (`id`),
        UNIQUE KEY `u` (`a``b`(3)),
        KEY `k` (`e` DESC) /*!80000 INVISIBLE */,
        CONSTRAINT `f` FOREIGN KEY (`id`, `e`) REFERENCES `p` (`x`, `y`) ON DELETE CASCADE,
        CONSTRAINT `far` FOREIGN KEY (`id`) REFERENCES `s`.`p` (`x`),
        CONSTRAINT `c` CHECK ((`id` > 0))
      ) ENGINE=InnoDB AUTO_INCREMENT=100 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin COMMENT='z'\
      """;

  @Test
  void partsOfADefinition() {
    TableText text = TableText.of(TEXT);
    assertEquals(List.of("id", "a`b", "e"), List.copyOf(text.columns().keySet()));
    assertEquals("int NOT NULL AUTO_INCREMENT", text.columns().get("id"));
    assertEquals("enum('a','b)') DEFAULT NULL COMMENT 'c, d'", text.columns().get("e"));
    assertEquals(List.of("PRIMARY", "u", "k"), List.copyOf(text.keys().keySet()));
    assertEquals("CHECK ((`id` > 0))", text.constraints().get("c"));
    assertEquals(100, text.nextAutoIncrement());
    assertEquals(
        "ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin COMMENT='z'", text.options());
    assertEquals("InnoDB", text.engine());
  }

  @Test
  void foreignKeys() {
    assertEquals(
        List.of(
            new ForeignKey("f", List.of("id", "e"), Optional.empty(), "p", List.of("x", "y")),
            new ForeignKey("far", List.of("id"), Optional.of("s"), "p", List.of("x"))),
        TableText.of(TEXT).foreignKeys());
  }

  /** Names and strings that look like the rest of a definition. */
  @Test
  void hostileNames() {
    TableText text =
        TableText.of(
            """
            CREATE TABLE `t
              (` (
              `c) REFERENCES ``p`` (x` int NOT NULL COMMENT 'it''s \\' `',
              `a
              KEY ``k`` (``a``),` int,
              KEY `k (``a``)
              ` (`a
              KEY ``k`` (``a``),`),
              CONSTRAINT `f FOREIGN KEY (``a``) REFERENCES ``q`` (``b``)
            ` FOREIGN KEY (`c) REFERENCES ``p`` (x`, `b`) REFERENCES `s`.`secret) ON ``` (`x`, `y (`) ON DELETE CASCADE
            ) ENGINE=InnoDB\
            """);
    assertEquals(
        List.of("c) REFERENCES `p` (x", "a\n  KEY `k` (`a`),"),
        List.copyOf(text.columns().keySet()));
    assertEquals(List.of("k (`a`)\n  "), List.copyOf(text.keys().keySet()));
    assertEquals(
        List.of(
            new ForeignKey(
                "f FOREIGN KEY (`a`) REFERENCES `q` (`b`)\n",
                List.of("c) REFERENCES `p` (x", "b"),
                Optional.of("s"),
                "secret) ON `",
                List.of("x", "y ("))),
        text.foreignKeys());
    assertEquals("ENGINE=InnoDB", text.options());
  }

  @Test
  void namesWithBackquotesAreLedBack() {
    String definition = "CREATE TABLE `t` (\n  %s\n) ENGINE=InnoDB";
    TableText before =
        TableText.of(
            definition.formatted("`a``` int,\n  KEY `k` (`a```),\n  CHECK (`a``` <> '`a```')"));
    TableText after =
        TableText.of(definition.formatted("`b``, DROP` int,\n  CHECK (`b``, DROP` <> '`a```')"));
    assertEquals(
        "CHANGE COLUMN `b``, DROP` `a``` int, ADD KEY `k` (`a```)",
        InverseAlter.of(before, after, Map.of("a`", "b`, DROP")));
  }

  @Test
  void anImplicitKeyComesBeforeTheFirstColumn() {
    String text = "CREATE TABLE `t\n  ` (\n  `a` int\n) ENGINE=InnoDB";
    TableDefinition definition = new TableDefinition(text, List.of(), List.of());
    assertEquals(
        "CREATE TABLE `t\n  ` (\n" + ImplicitKey.line(text) + "  `a` int\n) ENGINE=InnoDB",
        PhysicalText.create(definition, "t\n  ", 1).getFirst().text());
    assertFalse(PhysicalText.isPartitioned(text.replace("`a`", "`\n/*!1 PARTITION BY`")));
    assertTrue(PhysicalText.isPartitioned(text + "\n/*!50100 PARTITION BY HASH (`a`) */"));
  }

  @Test
  void commentThatLooksLikeAnOption() {
    TableText text =
        TableText.of("CREATE TABLE `t` (\n  `a` int\n) ENGINE=InnoDB COMMENT=' AUTO_INCREMENT=7'");
    assertEquals(1, text.nextAutoIncrement());
    assertEquals("ENGINE=InnoDB COMMENT=' AUTO_INCREMENT=7'", text.options());
  }

  @Test
  void inverseOfColumnsKeysAndOptions() {
    TableText before =
        TableText.of(
            """
            CREATE TABLE `t` (
              `a` int NOT NULL,
              `b` varchar(5) DEFAULT NULL,
              PRIMARY KEY (`a`),
              KEY `k` (`b`)
            ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4\
            """);
    TableText after =
        TableText.of(
            """
            CREATE TABLE `t` (
              `n` int DEFAULT NULL,
              `a2` int NOT NULL,
              `b` varchar(9) DEFAULT NULL,
              PRIMARY KEY (`a2`),
              UNIQUE KEY `u` (`n`)
            ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='x'\
            """);
    assertEquals(
        "DROP INDEX `u`, DROP COLUMN `n`, CHANGE COLUMN `a2` `a` int NOT NULL,"
            + " CHANGE COLUMN `b` `b` varchar(5) DEFAULT NULL, ADD KEY `k` (`b`),"
            + " ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT=''",
        InverseAlter.of(before, after, Map.of("A", "a2")));
    assertEquals("", InverseAlter.of(before, before, Map.of("a", "a2")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "int NOT NULL | bigint DEFAULT '4' | false",
        "int unsigned | bigint | true",
        "bigint | int | true",
        "varchar(5) DEFAULT NULL | varchar(9) NOT NULL | false",
        "varchar(9) | varchar(5) | true",
        "varchar(5) CHARACTER SET latin1 | varchar(5) | true",
        "varchar(5) | text | true",
        "decimal(5,2) | decimal(5,2) NOT NULL | true",
        "decimal(5,2) | decimal(5,1) | true",
        "datetime(3) | datetime(3) NOT NULL | false",
        "datetime(6) | datetime(3) | true",
        "enum('a','b') | enum('a') | true",
        "double | double NOT NULL | false",
      })
  void conversionsThatMayLoseValues(String before, String after, boolean mayLose) {
    assertEquals(
        mayLose, Conversions.mayLose(table(before), table(after), Map.of()), before + after);
  }

  private static TableText table(String column) {
    return TableText.of("CREATE TABLE `t` (\n  `a` " + column + "\n) ENGINE=InnoDB");
  }
}
