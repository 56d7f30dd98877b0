package io.alrai.testing.load;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The lists of a {@link RecordedLoad} when nobody writes any more. */
record FinalState(Map<Long, Set<Long>> lists) {
  static FinalState read(Client client) throws SQLException {
    Map<Long, Set<Long>> lists = new HashMap<>();
    try (Statement statement = client.connection().createStatement();
        ResultSet rows = statement.executeQuery("SELECT id, vals FROM list")) {
      while (rows.next()) {
        lists.put(rows.getLong(1), new HashSet<>(Attempt.list(rows.getString(2))));
      }
    }
    return new FinalState(lists);
  }

  boolean has(long list, long value) {
    return lists.getOrDefault(list, Set.of()).contains(value);
  }
}
