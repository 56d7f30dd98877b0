package io.alrai.testing.load;

import io.alrai.testing.DatabaseNames;
import io.alrai.testing.MiniCluster;
import io.alrai.testing.history.Anomaly;
import io.alrai.testing.history.HistoryChecker;
import io.alrai.testing.history.Level;
import io.alrai.testing.history.Operation;
import io.alrai.testing.history.Transaction;
import io.alrai.testing.history.Transaction.Outcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Random transactions on lists and registers whose rows are spread over all DNs, recorded for the
 * {@link HistoryChecker}. At any moment a few keys are in use, and others some time later, so that
 * clients meet and lists stay short. Keys are the rows' primary keys: a list and a register never
 * have the same one.
 */
public final class RecordedLoad {
  static final String SCHEMA = DatabaseNames.of("recorded");

  private static final String IN = DatabaseNames.quoted(SCHEMA) + ".";
  static final int SLOTS = 12;
  static final long FIRST_REGISTER = 1_000_000;
  private static final Pattern NAME = Pattern.compile("\\bT(\\d+)");
  private static final int PER_GENERATION = 500;
  private static final int ROWS_PER_INSERT = 500;

  /**
   * What works at the same time.
   *
   * @param ports of the endpoints; sessions are spread over them
   * @param partitions of the tables
   * @param sessions clients
   * @param transactions how many they do together at most
   * @param settings statements that each connection begins with, such as a SET
   */
  public record Size(
      List<Integer> ports, int partitions, int sessions, int transactions, List<String> settings) {
    public Size {
      ports = List.copyOf(ports);
      settings = List.copyOf(settings);
    }

    private int generations() {
      return transactions / PER_GENERATION + 1;
    }
  }

  private final Size size;
  private final AtomicLong started = new AtomicLong();
  private final AtomicLong values = new AtomicLong();
  private final AtomicLong connections = new AtomicLong();
  private final ErrorCounts errors = new ErrorCounts();
  private final RegisterVersions versions = new RegisterVersions();
  private final List<Transaction> history = new ArrayList<>();

  /** A load of this size; its tables are made by {@link #create}. */
  public RecordedLoad(Size size) {
    this.size = size;
  }

  /** Makes the schema and its rows anew. */
  public void create() throws SQLException {
    try (Connection connection = MiniCluster.connect(size.ports().getFirst(), "", "");
        Statement statement = connection.createStatement()) {
      statement.execute("DROP DATABASE IF EXISTS " + DatabaseNames.quoted(SCHEMA));
      statement.execute("CREATE DATABASE " + DatabaseNames.quoted(SCHEMA));
      String partitions = " PARTITION BY HASH(id) PARTITIONS " + size.partitions();
      statement.execute(
          "CREATE TABLE " + IN + "list (id BIGINT PRIMARY KEY, vals TEXT NOT NULL)" + partitions);
      statement.execute(
          "CREATE TABLE "
              + IN
              + "register"
              + " (id BIGINT PRIMARY KEY, val BIGINT NOT NULL, version BIGINT NOT NULL)"
              + partitions);
      long rows = (long) size.generations() * SLOTS;
      for (long first = 0; first < rows; first += ROWS_PER_INSERT) {
        long end = Math.min(rows, first + ROWS_PER_INSERT);
        statement.execute("INSERT INTO " + IN + "list VALUES " + rows(first, end, ", '')"));
        statement.execute(
            "INSERT INTO "
                + IN
                + "register VALUES "
                + rows(FIRST_REGISTER + first, FIRST_REGISTER + end, ", 0, 0)"));
      }
    }
  }

  private static String rows(long first, long end, String rest) {
    return LongStream.range(first, end)
        .mapToObj(id -> "(" + id + rest)
        .collect(Collectors.joining(", "));
  }

  /**
   * Lets the sessions work until all transactions are done or {@code stop} is set.
   *
   * @param seed what they do; not when
   */
  public void run(long seed, AtomicBoolean stop) throws Exception {
    try (ExecutorService sessions = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<List<Transaction>>> all = new ArrayList<>();
      for (int i = 0; i < size.sessions(); i++) {
        int port = size.ports().get(i % size.ports().size());
        Random random = new Random(seed + i);
        String properties = "&useServerPrepStmts=" + (i / size.ports().size() % 2 == 1);
        all.add(
            sessions.submit(() -> {
              try (Client client = new Client(port, SCHEMA, properties, size.settings())) {
                return session(client, random, stop);
              }
            }));
      }
      for (Future<List<Transaction>> session : all) {
        history.addAll(session.get());
      }
    }
  }

  private List<Transaction> session(Client client, Random random, AtomicBoolean stop) {
    List<Transaction> done = new ArrayList<>();
    long seen = -1;
    long session = 0;
    while (!stop.get() && started.get() < size.transactions()) {
      if (!reach(client)) {
        continue;
      }
      long number = started.getAndIncrement();
      if (number >= size.transactions()) {
        break;
      }
      // whoever connects anew has no memory of what it read before
      if (client.connections() != seen) {
        seen = client.connections();
        session = connections.incrementAndGet();
      }
      long firstKey = number / PER_GENERATION * SLOTS;
      Attempt attempt = new Attempt(client, firstKey, values, errors);
      Outcome outcome = attempt.run(RandomPlan.next(random));
      if (outcome == Outcome.COMMITTED) {
        versions.add(attempt.versionsRead());
      }
      done.add(new Transaction(session, outcome, attempt.operations()));
    }
    return done;
  }

  private boolean reach(Client client) {
    try {
      client.connection();
      return true;
    } catch (SQLException e) {
      errors.add("connect", e);
      client.close();
      Client.rest();
      return false;
    }
  }

  /** How many transactions were begun so far; any thread. */
  public long started() {
    return Math.min(started.get(), size.transactions());
  }

  /** How many ended so. */
  public long count(Outcome outcome) {
    return history.stream().filter(transaction -> transaction.outcome() == outcome).count();
  }

  /**
   * The anomalies of all runs, when everything is at rest and the endpoint of this port serves.
   * Among them: what was acknowledged and is not there.
   */
  public List<Anomaly> check(Level level, int port) throws SQLException {
    List<Anomaly> anomalies = new ArrayList<>(versions.contradictions());
    anomalies.addAll(HistoryChecker.check(history, level, versions.orders()));
    anomalies.addAll(lost(port));
    return anomalies;
  }

  private List<Anomaly> lost(int port) throws SQLException {
    FinalState last;
    try (Client client = new Client(port, SCHEMA, "", List.of())) {
      last = FinalState.read(client);
    }
    List<Anomaly> lost = new ArrayList<>();
    for (int t = 0; t < history.size(); t++) {
      for (Operation operation : history.get(t).operations()) {
        if (operation instanceof Operation.Append append) {
          boolean there = last.has(append.key(), append.value());
          Outcome outcome = history.get(t).outcome();
          if (outcome != Outcome.UNKNOWN && there != (outcome == Outcome.COMMITTED)) {
            lost.add(
                new Anomaly(
                    there ? Anomaly.Kind.G1A : Anomaly.Kind.LOST_UPDATE,
                    "T"
                        + t
                        + " was answered "
                        + outcome
                        + ", but at the end "
                        + append
                        + (there ? " is there" : " is not there")));
          }
        }
      }
    }
    return lost;
  }

  /** What the transactions did that an anomaly's explanation names. */
  public String told(Anomaly anomaly) {
    StringBuilder text = new StringBuilder(anomaly.toString());
    Matcher names = NAME.matcher(anomaly.explanation());
    names
        .results()
        .map(name -> Integer.parseInt(name.group(1)))
        .distinct()
        .forEach(t -> text.append("\n  T").append(t).append(' ').append(history.get(t)));
    return text.toString();
  }

  /** All counts, in lines. */
  public String text() {
    return String.format(
        "%d committed, %d aborted, %d without an answer%n%s",
        count(Outcome.COMMITTED), count(Outcome.ABORTED), count(Outcome.UNKNOWN), errors.text());
  }
}
