package io.alrai.e2e.texts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * How many texts mysqlds get for the transactions of sysbench over two DNs: each is a wake-up of a
 * mysqld, and in processes four writes. What agents ask for themselves is not counted, nor what a
 * view waits for, which goes in the text of the view.
 */
@ExtendWith(Servers.Shared.class)
@Timeout(300)
class TextCountsIT {
  private static final int ROWS = 400;

  /** Transactions by which columns of results become known, and that such ones write nothing. */
  private static final int WARM = 6;

  private static final int COUNTED = 8;
  private static final long PATIENCE_MILLIS = 20_000;

  private enum Kind {
    /** Begins a branch with a view. */
    VIEW,
    /** Begins one by itself. */
    BEGIN,
    READ,
    WRITE,
    PREPARE,
    DECISION,
    XA_COMMIT,
    /** Ends one otherwise. */
    END,
    /** Is about neither the table nor the transaction. */
    OTHER;

    /** The kind of a text. */
    static Kind of(String text) {
      if (text.contains("WITH CONSISTENT SNAPSHOT")
          || text.contains("XA START") && text.contains("alrai.tx_log")) {
        return VIEW;
      } else if (text.startsWith("XA END") && text.contains("XA PREPARE")) {
        return PREPARE;
      } else if (text.startsWith("SAVEPOINT `alrai:decided ")) {
        return DECISION;
      } else if (text.startsWith("XA COMMIT")) {
        return XA_COMMIT;
      } else if (text.contains("counted_rows")) {
        return text.contains("SELECT") ? READ : WRITE;
      } else if (text.startsWith("START TRANSACTION") || text.startsWith("XA START")) {
        return BEGIN;
      }
      // a view that nobody has come for is ended by its pool, with COMMIT
      return text.startsWith("ROLLBACK") || text.startsWith("XA END") ? END : OTHER;
    }
  }

  @TempDir Path logs;

  @BeforeEach
  void prepare(Servers servers) throws SQLException {
    try (Connection connection = servers.cluster().connect("")) {
      StringBuilder rows = new StringBuilder("INSERT INTO counted_rows VALUES (-1,1,'c','p')");
      for (int id = 0; id <= ROWS; id++) {
        rows.append(",(").append(id).append(",1,'c','p')");
      }
      Servers.run(
          connection,
          "CREATE DATABASE `counted'rows`",
          "USE `counted'rows`",
          "CREATE TABLE counted_rows (id INT PRIMARY KEY, k INT NOT NULL, c CHAR(120) NOT NULL,"
              + " pad CHAR(60) NOT NULL, KEY (k))",
          rows.toString(),
          "SET GLOBAL row_cache = OFF"); // what is kept reaches no mysqld
    }
  }

  @AfterEach
  void end(Servers servers) throws SQLException {
    try (Connection connection = servers.cluster().connect("")) {
      Servers.run(connection, "SET GLOBAL row_cache = ON", "DROP DATABASE `counted'rows`");
    }
  }

  /** The first read tells whether transactions like it write. */
  private static List<String> reads(int id, boolean writes) {
    List<String> all = new ArrayList<>();
    all.add((writes ? "SELECT c,k" : "SELECT k,c") + " FROM counted_rows WHERE id=" + id);
    for (int point = 1; point < 10; point++) {
      all.add("SELECT c FROM counted_rows WHERE id=" + (id + 7 * point));
    }
    String range = " FROM counted_rows WHERE id BETWEEN " + id + " AND " + (id + 99);
    all.add("SELECT c" + range);
    all.add("SELECT SUM(k)" + range);
    all.add("SELECT c" + range + " ORDER BY c");
    all.add("SELECT DISTINCT c" + range + " ORDER BY c");
    return all;
  }

  private static List<String> writes(int id) {
    return List.of(
        "UPDATE counted_rows SET k=k+1 WHERE id=" + id,
        "UPDATE counted_rows SET c='d" + id + "' WHERE id=" + (id + 1),
        "DELETE FROM counted_rows WHERE id=" + (id + 2),
        "INSERT INTO counted_rows VALUES (" + (id + 2) + ",1,'c','p')");
  }

  private static List<String> whole(List<String> reads, List<String> writes) {
    List<String> all = new ArrayList<>(reads);
    all.addAll(writes);
    all.addFirst("BEGIN");
    all.addLast("COMMIT");
    return all;
  }

  /** What such a transaction sends: the counts of all that did not wait for each other. */
  private Set<Map<Kind, Integer>> counts(Servers servers, boolean reads, boolean writes)
      throws SQLException, IOException, InterruptedException {
    Set<Map<Kind, Integer>> counts = new HashSet<>();
    try (Connection connection = servers.cluster().connect("counted'rows");
        Statement statement = connection.createStatement();
        SentTexts sent = SentTexts.of(servers.cluster(), logs)) {
      for (int id = 1; id <= WARM + COUNTED; id++) {
        sent.take();
        for (String next :
            whole(reads ? reads(id, writes) : List.of(), writes ? writes(id) : List.of())) {
          statement.execute(next);
        }
        Map<Kind, Integer> of = new EnumMap<>(Kind.class);
        long end = System.nanoTime() + PATIENCE_MILLIS * 1_000_000;
        do {
          for (SentTexts.Sent each : sent.take()) {
            Kind kind = Kind.of(each.text());
            if (kind != Kind.OTHER) {
              of.merge(kind, 1, Integer::sum);
            }
          }
          assertTrue(System.nanoTime() < end, "what was prepared is not committed: " + of);
        } while (!of.getOrDefault(Kind.PREPARE, 0).equals(of.getOrDefault(Kind.XA_COMMIT, 0)));
        if (id > WARM && (!writes || of.containsKey(Kind.PREPARE))) {
          counts.add(of);
        }
      }
    }
    return counts;
  }

  @Test
  void readsAndWrites(Servers servers) throws Exception {
    assertEquals(
        Set.of(
            Map.of(
                Kind.VIEW, 2,
                Kind.READ, 18,
                Kind.WRITE, 4,
                Kind.PREPARE, 1,
                Kind.DECISION, 1,
                Kind.XA_COMMIT, 1)),
        counts(servers, true, true));
  }

  @Test
  void readsOnly(Servers servers) throws Exception {
    assertEquals(Set.of(Map.of(Kind.VIEW, 2, Kind.READ, 18)), counts(servers, true, false));
  }

  @Test
  void writesOnly(Servers servers) throws Exception {
    assertEquals(
        Set.of(
            Map.of(
                Kind.BEGIN, 1,
                Kind.WRITE, 4,
                Kind.PREPARE, 1,
                Kind.DECISION, 1,
                Kind.XA_COMMIT, 1)),
        counts(servers, false, true));
  }
}
