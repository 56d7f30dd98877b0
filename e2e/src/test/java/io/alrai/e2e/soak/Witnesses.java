package io.alrai.e2e.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** The witnesses; each has rows, tables or databases of its own in {@link #SCHEMA}. */
final class Witnesses {
  static final String SCHEMA = "witness";
  private static final int MEGABYTES = 3_000_000;
  private static final int WIDE_ROWS = 1_000;

  private Witnesses() {}

  /** Makes their tables. */
  static void prepare(Session session) throws SQLException {
    session.execute(
        "DROP DATABASE IF EXISTS " + SCHEMA,
        "CREATE DATABASE " + SCHEMA,
        "USE " + SCHEMA,
        "CREATE TABLE counter (a INT PRIMARY KEY, n INT NOT NULL)",
        "CREATE TABLE pair (a INT PRIMARY KEY, n INT NOT NULL) PARTITION BY KEY(a) PARTITIONS 4",
        "CREATE TABLE noted (a INT PRIMARY KEY, w INT NOT NULL)",
        "CREATE TABLE big (a INT PRIMARY KEY, pad LONGTEXT)",
        "INSERT INTO big VALUES (1, REPEAT('q', " + MEGABYTES + "))",
        "CREATE TABLE wide (a INT PRIMARY KEY, pad VARCHAR(600)) PARTITION BY KEY(a) PARTITIONS 4");
    StringBuilder rows = new StringBuilder("INSERT INTO wide VALUES (0, REPEAT('w', 500))");
    for (int a = 1; a < WIDE_ROWS; a++) {
      rows.append(",(").append(a).append(", REPEAT('w', 500))");
    }
    session.execute(rows.toString());
  }

  /** One of each kind for each number. */
  static List<Witness> of(List<Integer> ports, int boundMillis) throws SQLException {
    List<Witness> witnesses = new ArrayList<>();
    for (int number = 0; number < ports.size(); number++) {
      int port = ports.get(number);
      int next = ports.get((number + 1) % ports.size());
      witnesses.add(new Counting(new Session(port, SCHEMA, boundMillis), number));
      witnesses.add(new Transferring(new Session(port, SCHEMA, boundMillis), number));
      witnesses.add(
          new Noting(
              new Session(port, SCHEMA, boundMillis),
              new Session(next, SCHEMA, boundMillis),
              number));
      witnesses.add(new Reading(new Session(port, SCHEMA, boundMillis)));
      witnesses.add(new Defining(new Session(port, "", boundMillis), number));
    }
    return witnesses;
  }

  /** Counts a row up, statement by statement, text and prepared. */
  private static final class Counting implements Witness {
    private final Session session;
    private final int key;
    private int count;

    Counting(Session session, int key) throws SQLException {
      this.session = session;
      this.key = key;
      session.execute("INSERT INTO counter VALUES (" + key + ", 0)");
    }

    @Override
    public void step() throws SQLException {
      session.execute("UPDATE counter SET n = n + 1 WHERE a = " + key);
      count++;
      session.expect(List.of("" + count), "SELECT n FROM counter WHERE a = " + key);
      try (PreparedStatement statement =
          session.connection().prepareStatement("SELECT n + ? FROM counter WHERE a = ?")) {
        statement.setInt(1, 7);
        statement.setInt(2, key);
        try (ResultSet row = statement.executeQuery()) {
          assertTrue(row.next());
          assertEquals(count + 7, row.getInt(1));
        }
      }
    }

    @Override
    public void recover() throws SQLException {
      session.drop();
      int now =
          Integer.parseInt(
              session.rows("SELECT n FROM counter WHERE a = " + key + " FOR UPDATE").getFirst());
      assertTrue(now == count || now == count + 1, key + " has " + now + " after " + count);
      count = now;
    }

    @Override
    public void close() throws SQLException {
      session.close();
    }
  }

  /** Moves between rows of several places, and reads their sum. */
  private static final class Transferring implements Witness {
    private static final int ROWS = 4;
    private final Session session;
    private final int first;
    private final String among;
    private int moved;

    Transferring(Session session, int number) throws SQLException {
      this.session = session;
      this.first = number * ROWS;
      this.among = " WHERE a BETWEEN " + first + " AND " + (first + ROWS - 1);
      for (int a = first; a < first + ROWS; a++) {
        session.execute("INSERT INTO pair VALUES (" + a + ", 0)");
      }
    }

    @Override
    public void step() throws SQLException {
      session.execute(
          "BEGIN",
          "UPDATE pair SET n = n - 3 WHERE a = " + first,
          "UPDATE pair SET n = n + 1 WHERE a = " + (first + 1),
          "UPDATE pair SET n = n + 1 WHERE a = " + (first + 2),
          "UPDATE pair SET n = n + 1 WHERE a = " + (first + 3),
          "COMMIT");
      moved++;
      session.expect(List.of("0," + moved), "SELECT SUM(n), MAX(n) FROM pair" + among);
    }

    @Override
    public void recover() throws SQLException {
      session.drop();
      session.execute("BEGIN");
      List<String> now = session.rows("SELECT n FROM pair" + among + " ORDER BY a FOR UPDATE");
      session.execute("COMMIT");
      int third = Integer.parseInt(now.get(1));
      assertEquals(List.of(-3 * third, third, third, third).toString(), now.toString());
      assertTrue(third == moved || third == moved + 1, third + " moved after " + moved);
      moved = third;
    }

    @Override
    public void close() throws SQLException {
      session.close();
    }
  }

  /** Writes by new sessions in autocommit; what is acknowledged another session sees at once. */
  private static final class Noting implements Witness {
    private final Session writer;
    private final Session reader;
    private final int number;
    private int noted;

    Noting(Session writer, Session reader, int number) {
      this.writer = writer;
      this.reader = reader;
      this.number = number;
    }

    private int key(int note) {
      return number * 10_000_000 + note;
    }

    @Override
    public void step() throws SQLException {
      writer.execute("INSERT INTO noted VALUES (" + key(noted) + ", " + number + ")");
      int last = noted++;
      writer.drop();
      reader.expect(List.of("" + number), "SELECT w FROM noted WHERE a = " + key(last));
      reader.drop();
    }

    @Override
    public void recover() throws SQLException {
      writer.drop();
      reader.drop();
      writer.execute("DELETE FROM noted WHERE a = " + key(noted));
      int now =
          Integer.parseInt(
              writer.rows("SELECT COUNT(*) FROM noted WHERE w = " + number).getFirst());
      assertEquals(noted, now, "notes of " + number);
    }

    @Override
    public void close() throws SQLException {
      writer.close();
      reader.close();
    }
  }

  /** Reads rows of megabytes, rows of all places, and what SHOW says. */
  private static final class Reading implements Witness {
    private final Session session;

    Reading(Session session) {
      this.session = session;
    }

    @Override
    public void step() throws SQLException {
      session.expect(List.of("1," + "q".repeat(MEGABYTES)), "SELECT a, pad FROM big WHERE a = 1");
      session.expect(List.of("2"), "SELECT 1 + 1");
      assertEquals(WIDE_ROWS, session.rows("SELECT a, pad FROM wide").size());
      session.expect(
          IntStream.range(0, WIDE_ROWS).mapToObj(Integer::toString).toList(),
          "SELECT a FROM wide ORDER BY a");
      session.expect(
          List.of("big", "counter", "noted", "pair", "wide"), "SHOW TABLES FROM " + SCHEMA);
      session.expect(
          List.of("2"),
          "SELECT COUNT(*) FROM information_schema.columns WHERE table_schema = '"
              + SCHEMA
              + "' AND table_name = 'big'");
      session.expect(List.of("autocommit,ON"), "SHOW VARIABLES LIKE 'autocommit'");
      session.expect(List.of("REPEATABLE-READ"), "SELECT @@transaction_isolation");
    }

    @Override
    public void recover() throws SQLException {
      session.drop();
      session.expect(List.of("2"), "SELECT 1 + 1");
    }

    @Override
    public void close() throws SQLException {
      session.close();
    }
  }

  /** Makes and drops a database and what is in it. */
  private static final class Defining implements Witness {
    private final Session session;
    private final String schema;

    Defining(Session session, int number) {
      this.session = session;
      this.schema = "witness_" + number;
    }

    @Override
    public void step() throws SQLException {
      session.execute(
          "CREATE DATABASE " + schema,
          "CREATE TABLE " + schema + ".t (a INT PRIMARY KEY, b INT)",
          "INSERT INTO " + schema + ".t VALUES (1, 1), (2, 2), (3, 3), (4, 4)",
          "ALTER TABLE " + schema + ".t ADD COLUMN c INT DEFAULT 5",
          "CREATE VIEW " + schema + ".v AS SELECT a, c FROM " + schema + ".t");
      session.expect(List.of("4,20"), "SELECT COUNT(*), SUM(c) FROM " + schema + ".v");
      session.execute("DROP DATABASE " + schema);
    }

    @Override
    public void recover() throws SQLException {
      session.drop();
      session.execute("DROP DATABASE IF EXISTS " + schema);
    }

    @Override
    public void close() throws SQLException {
      session.close();
    }
  }
}
