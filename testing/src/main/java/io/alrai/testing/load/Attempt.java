package io.alrai.testing.load;

import io.alrai.testing.history.Operation;
import io.alrai.testing.history.Transaction.Outcome;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/** One transaction of a {@link RecordedLoad}, and what its client learns of it. One thread. */
final class Attempt {
  private static final int DEADLOCK = 1213;
  private static final int LOCK_WAIT_TIMEOUT = 1205;

  private final Client client;
  private final long firstKey;
  private final AtomicLong values;
  private final ErrorCounts errors;
  private final List<Operation> operations = new ArrayList<>();
  private final List<RegisterVersions.Read> versionsRead = new ArrayList<>();

  /**
   * An attempt that did nothing yet.
   *
   * @param firstKey the list in slot 0
   * @param values the next value to be written, unique among all
   */
  Attempt(Client client, long firstKey, AtomicLong values, ErrorCounts errors) {
    this.client = client;
    this.firstKey = firstKey;
    this.values = values;
    this.errors = errors;
  }

  /** Those that were answered, and writes that were sent. */
  List<Operation> operations() {
    return operations;
  }

  List<RegisterVersions.Read> versionsRead() {
    return versionsRead;
  }

  /** Does it; the client is ready for the next one then, or has no connection. */
  Outcome run(RandomPlan plan) {
    boolean decisive = plan.begin().isEmpty();
    try {
      if (!decisive) {
        client.execute(plan.begin());
      }
      for (RandomPlan.Step step : plan.steps()) {
        statement(step);
      }
      if (!decisive) {
        decisive = true;
        client.execute("COMMIT");
      }
      return Outcome.COMMITTED;
    } catch (SQLException e) {
      errors.add(decisive && !plan.begin().isEmpty() ? "COMMIT" : "statement", e);
      boolean answered = client.after(e) == Client.Loss.NONE;
      client.rollBack();
      boolean refused =
          answered && (e.getErrorCode() == DEADLOCK || e.getErrorCode() == LOCK_WAIT_TIMEOUT);
      return decisive && !refused ? outcome(String.valueOf(e.getMessage())) : Outcome.ABORTED;
    }
  }

  /** What the error that came instead of an answer says of the transaction. */
  private static Outcome outcome(String message) {
    if (message.contains("the statement was done")) {
      return Outcome.COMMITTED;
    }
    return message.contains("the statement was not done") ? Outcome.ABORTED : Outcome.UNKNOWN;
  }

  private void statement(RandomPlan.Step step) throws SQLException {
    List<Long> keys =
        step.slots().stream()
            .map(slot ->
                firstKey + slot + (step.kind().registers() ? RecordedLoad.FIRST_REGISTER : 0))
            .toList();
    switch (step.kind()) {
      case APPEND -> append(keys);
      case WRITE -> write(keys);
      case READ_LISTS -> readLists(keys, false);
      case LOCK_LISTS -> readLists(keys, true);
      case READ_REGISTERS -> readRegisters(keys, false);
      case LOCK_REGISTERS -> readRegisters(keys, true);
    }
  }

  private void append(List<Long> keys) throws SQLException {
    long value = values.incrementAndGet();
    keys.forEach(key -> operations.add(new Operation.Append(key, value)));
    update("UPDATE list SET vals = CONCAT(vals, ?, ',') WHERE " + among(keys), value, keys);
  }

  private void write(List<Long> keys) throws SQLException {
    long value = values.incrementAndGet();
    keys.forEach(key -> operations.add(new Operation.Write(key, value)));
    update("UPDATE register SET val = ?, version = version + 1 WHERE " + among(keys), value, keys);
  }

  private void update(String sql, long value, List<Long> keys) throws SQLException {
    try (PreparedStatement statement = client.connection().prepareStatement(sql)) {
      statement.setLong(1, value);
      bind(statement, 2, keys);
      int rows = statement.executeUpdate();
      if (rows != keys.size()) {
        throw new IllegalStateException(rows + " rows changed by " + sql + " of " + keys);
      }
    }
  }

  private void readLists(List<Long> keys, boolean current) throws SQLException {
    String sql = "SELECT id, vals FROM list WHERE " + among(keys) + lock(current);
    int rows = 0;
    try (PreparedStatement statement = client.connection().prepareStatement(sql)) {
      bind(statement, 1, keys);
      List<Operation> read = new ArrayList<>();
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          read.add(new Operation.ReadList(result.getLong(1), list(result.getString(2)), current));
          rows++;
        }
      }
      operations.addAll(read);
    }
    expect(keys.size(), rows, sql);
  }

  private void readRegisters(List<Long> keys, boolean current) throws SQLException {
    String sql = "SELECT id, val, version FROM register WHERE " + among(keys) + lock(current);
    int rows = 0;
    try (PreparedStatement statement = client.connection().prepareStatement(sql)) {
      bind(statement, 1, keys);
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          long version = result.getLong(3);
          long value = version == 0 ? Operation.INITIAL : result.getLong(2);
          operations.add(new Operation.ReadRegister(result.getLong(1), value, current));
          versionsRead.add(new RegisterVersions.Read(result.getLong(1), version, value));
          rows++;
        }
      }
    }
    expect(keys.size(), rows, sql);
  }

  private static void expect(int expected, int rows, String sql) {
    if (rows != expected) {
      throw new IllegalStateException(rows + " rows instead of " + expected + " from " + sql);
    }
  }

  private static String among(List<Long> keys) {
    return keys.size() == 1
        ? "id = ?"
        : "id IN (" + keys.stream().map(key -> "?").collect(Collectors.joining(", ")) + ")";
  }

  private static String lock(boolean current) {
    return current ? " FOR UPDATE" : "";
  }

  private static void bind(PreparedStatement statement, int first, List<Long> keys)
      throws SQLException {
    for (int i = 0; i < keys.size(); i++) {
      statement.setLong(first + i, keys.get(i));
    }
  }

  static List<Long> list(String text) {
    return Arrays.stream(text.split(",", -1)).filter(v -> !v.isEmpty()).map(Long::valueOf).toList();
  }
}
