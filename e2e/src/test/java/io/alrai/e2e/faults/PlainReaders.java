package io.alrai.e2e.faults;

import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;

/**
 * Clients that read the table {@code bank.accounts} all the time, each statement outside of a
 * transaction and in a form of its own, and keep the errors that they got. The number of accounts
 * must not change.
 */
final class PlainReaders implements AutoCloseable {
  /** How a statement comes, and where it goes. */
  enum Form {
    TEXT_OF_ONE_PLACE("SELECT COUNT(*) FROM accounts WHERE id=?", false),
    PREPARED_OF_ONE_PLACE("SELECT COUNT(*) FROM accounts WHERE id=?", true),
    SUM_OF_ALL("SELECT COUNT(*) FROM accounts", false),
    PREPARED_SUM_OF_ALL("SELECT COUNT(*) FROM accounts", true),
    ROWS_OF_ALL("SELECT id,REPEAT('x',1000) FROM accounts", false),
    JOIN_OF_ALL("SELECT COUNT(*) FROM accounts a JOIN accounts b ON a.id=b.id+1-1", false),
    WITHOUT_ROWS("SELECT SLEEP(0.001)", false);

    private final String sql;
    private final boolean prepared;

    Form(String sql, boolean prepared) {
      this.sql = sql;
      this.prepared = prepared;
    }
  }

  private final int port;
  private final int accounts;
  private final Map<Form, LongAdder> answered = new EnumMap<>(Form.class);
  private final Queue<String> errors = new ConcurrentLinkedQueue<>();
  private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
  private volatile boolean over;

  /** They read from now on. */
  PlainReaders(int port, int accounts) {
    this.port = port;
    this.accounts = accounts;
    for (Form form : Form.values()) {
      answered.put(form, new LongAdder());
    }
    for (Form form : Form.values()) {
      clients.execute(() -> read(form));
    }
  }

  private void read(Form form) {
    String options = form.prepared ? "&useServerPrepStmts=true&cachePrepStmts=true" : "";
    try (Connection client = MiniCluster.connect(port, "bank", options)) {
      for (int i = 0; !over; i++) {
        try {
          answer(form, client, i % accounts);
          answered.get(form).increment();
        } catch (SQLException e) {
          errors.add(form + ": " + e.getErrorCode() + ": " + e.getMessage());
        }
      }
    } catch (SQLException e) {
      errors.add(form + " has no connection: " + e.getMessage());
    }
  }

  private void answer(Form form, Connection client, int id) throws SQLException {
    switch (form) {
      case TEXT_OF_ONE_PLACE -> expect(form, 1, number(client, form.sql.replace("?", "" + id)));
      case SUM_OF_ALL, JOIN_OF_ALL -> expect(form, accounts, number(client, form.sql));
      case WITHOUT_ROWS -> expect(form, 0, number(client, form.sql));
      case PREPARED_OF_ONE_PLACE, PREPARED_SUM_OF_ALL -> {
        try (PreparedStatement statement = client.prepareStatement(form.sql)) {
          boolean one = form == Form.PREPARED_OF_ONE_PLACE;
          if (one) {
            statement.setInt(1, id);
          }
          try (ResultSet rows = statement.executeQuery()) {
            rows.next();
            expect(form, one ? 1 : accounts, rows.getLong(1));
          }
        }
      }
      case ROWS_OF_ALL -> {
        try (Statement statement = client.createStatement();
            ResultSet rows = statement.executeQuery(form.sql)) {
          int count = 0;
          while (rows.next()) {
            count++;
          }
          expect(form, accounts, count);
        }
      }
    }
  }

  private static long number(Connection client, String sql) throws SQLException {
    try (Statement statement = client.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  private void expect(Form form, long wanted, long found) {
    if (wanted != found) {
      errors.add(form + " has found " + found + " instead of " + wanted);
    }
  }

  /** Answers of the form that has the fewest. */
  long fewest() {
    return answered.values().stream().mapToLong(LongAdder::sum).min().orElseThrow();
  }

  /** What was wrong so far. */
  List<String> errors() {
    return new ArrayList<>(errors);
  }

  @Override
  public void close() {
    over = true;
    clients.close();
  }
}
