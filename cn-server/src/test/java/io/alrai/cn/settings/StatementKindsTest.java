package io.alrai.cn.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.plan.StatementPlanner;
import io.alrai.cn.variable.KnownStatus;
import io.alrai.cn.variable.StatusList;
import io.alrai.gms.api.Catalog;
import io.alrai.optimizer.api.Planned.Work;
import io.alrai.optimizer.api.planner.AlraiPlanner;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.api.text.LexicalMode;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatementKindsTest {
  private final StatementTally session = new StatementTally();
  private final UseCounts all = new UseCounts(() -> 0);

  private static Work work(String sql) {
    return new AlraiPlanner(collation -> Optional.empty())
        .plan(
            ShapedText.of(sql),
            StatementPlanner.context(Catalog.EMPTY, "shop", LexicalMode.DEFAULT))
        .work();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          SELECT 1                                | SELECT
          SELECT * FROM information_schema.TABLES | SELECT
          SHOW TABLES                             | SHOW_TABLES
          SHOW FULL TABLES FROM shop              | SHOW_TABLES
          SHOW TABLE STATUS LIKE 'x'              | SHOW_TABLE_STATUS
          show global status like 'x'             | SHOW_STATUS
          SHOW EXTENDED KEYS FROM t               | SHOW_KEYS
          SHOW FULL FIELDS FROM t                 | SHOW_FIELDS
          DESCRIBE t                              | SHOW_FIELDS
          SHOW CREATE TABLE t                     | SHOW_CREATE_TABLE
          SHOW CREATE VIEW `t`                    | SHOW_CREATE_TABLE
          SHOW CHARACTER SET                      | SHOW_CHARSETS
          SHOW STORAGE ENGINES                    | SHOW_STORAGE_ENGINES
          SHOW SESSION VARIABLES                  | SHOW_VARIABLES
          SHOW PROCESSLIST                        | SHOW_PROCESSLIST
          SHOW ERRORS                             | SHOW_ERRORS
          SHOW COUNT(*) WARNINGS                  | SHOW_WARNINGS
          HELP 'x'                                | HELP
          XA START 'a'                            | XA_START
          START TRANSACTION                       | BEGIN
          SET NAMES utf8mb4                       | SET_OPTION
          ANALYZE TABLE t                         | ANALYZE
          DROP DATABASE x                         | DROP_DB
          CREATE TABLE t (a INT)                  | CREATE_TABLE
          DROP PROCEDURE p                        | DROP_PROCEDURE
          FLUSH PRIVILEGES                        | FLUSH
          """)
  void statementsCountAsOnAMysqld(String sql, CountedStatement kind) {
    assertEquals(kind, StatementKinds.of(work(sql)), sql);
  }

  @Test
  void whatOnlyAlraiHasDoesNotCount() {
    session.began(work("SHOW NODES"), all);
    for (CountedStatement kind : CountedStatement.values()) {
      assertEquals(0, session.count(kind) + all.count(kind));
    }
  }

  @Test
  void theCnCountsWhatSessionsDo() {
    StatementTally other = new StatementTally();
    session.began(work("SELECT 1"), all);
    other.began(work("SELECT 2"), all);
    other.began(work("PREPARE p FROM 'SELECT 1'"), all);
    assertEquals(1, session.count(CountedStatement.SELECT));
    assertEquals(2, all.count(CountedStatement.SELECT));
    assertEquals(1, all.count(CountedStatement.STMT_PREPARE));
    session.clear();
    assertEquals(0, session.count(CountedStatement.SELECT));
    assertEquals(2, all.count(CountedStatement.SELECT));
  }

  @Test
  void allNamesAreThoseOfAMysqld() {
    for (CountedStatement kind : CountedStatement.values()) {
      assertTrue(KnownStatus.names().contains(kind.statusName()), kind.statusName());
      assertEquals(StatusList.OWN, KnownStatus.of(kind.statusName()));
    }
  }
}
