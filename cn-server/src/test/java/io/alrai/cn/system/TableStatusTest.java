package io.alrai.cn.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.optimizer.api.token.TokenCursor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableStatusTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          true  | SELECT table_rows FROM information_schema.tables
          true  | SELECT `Data_Length` FROM information_schema.tables
          true  | SELECT t.UPDATE_TIME FROM information_schema.tables t
          true  | SELECT * FROM information_schema.tables
          true  | SELECT t.* FROM information_schema.tables t
          true  | SELECT DISTINCT * FROM information_schema.tables
          true  | TABLE information_schema.tables
          true  | SELECT 1 FROM information_schema.tables NATURAL JOIN information_schema.tables t
          false | SELECT table_name FROM information_schema.tables WHERE table_schema = 'x'
          false | SELECT COUNT(*) FROM information_schema.tables
          false | SELECT 'table_rows' FROM information_schema.tables
          """)
  void onlyQueriesThatMayShowItAskForIt(boolean asks, String query) {
    assertEquals(asks, TableStatus.isAskedBy(new TokenCursor(query, false, false)));
  }
}
