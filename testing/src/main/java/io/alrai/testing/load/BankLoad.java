package io.alrai.testing.load;

import io.alrai.testing.DatabaseNames;
import io.alrai.testing.MiniCluster;
import io.alrai.testing.history.Anomaly;
import io.alrai.testing.history.BankCheck;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Money that is moved between accounts of different DNs, while readers add up all accounts: one
 * statement over all shards, several in one transaction, and one by the column index, each through
 * every endpoint. The table is {@code account}, account n in partition n modulo the number of
 * partitions. One run at a time; the counts may be read by any thread meanwhile.
 */
public final class BankLoad {
  /** The database that it is in. */
  public static final String SCHEMA = DatabaseNames.of("bank");

  private static final String TABLE = DatabaseNames.quoted(SCHEMA) + ".account";
  private static final long BALANCE = 1_000;
  private static final int MOST_EXPLAINED = 10;

  /** How a reader comes to its total. */
  private enum Form {
    /** One SUM over all shards. */
    SUM,
    /** All balances by one statement. */
    ALL_ROWS,
    /** Two SELECTs of one REPEATABLE READ transaction, each on all DNs. */
    TWO_HALVES,
    /** First one account, that is one DN, then all others. */
    ONE_THEN_OTHERS,
    /** The snapshot is taken before the first SELECT. */
    CONSISTENT_SNAPSHOT,
    /** One SUM by the column index; only where there is one. */
    COLUMNS
  }

  /**
   * What works at the same time.
   *
   * @param ports of the endpoints; clients are spread over them
   * @param accounts how many there are
   * @param dns a transfer is between accounts that differ modulo this
   * @param writers clients that move money
   * @param columns whether the table has a column index, and a reader at each endpoint that asks it
   * @param readers statements that each connection of a reader begins with, such as a SET
   */
  public record Size(
      List<Integer> ports,
      int accounts,
      int dns,
      int writers,
      boolean columns,
      List<String> readers) {
    public Size {
      ports = List.copyOf(ports);
      readers = List.copyOf(readers);
    }

    /** Readers as they come. */
    public Size(List<Integer> ports, int accounts, int dns, int writers, boolean columns) {
      this(ports, accounts, dns, writers, columns, List.of());
    }
  }

  private final Size size;
  private final long total;
  private final LongAdder transfers = new LongAdder();
  private final LongAdder unknown = new LongAdder();
  private final Map<Form, LongAdder> reads = new ConcurrentHashMap<>();
  private final Map<Form, LongAdder> torn = new ConcurrentHashMap<>();
  private final List<Anomaly> explained = new ArrayList<>(); // guarded by itself
  private final ErrorCounts errors = new ErrorCounts();
  private final AtomicLong nanos = new AtomicLong();

  /** A bank of this size; its table is made by {@link #create}. */
  public BankLoad(Size size) {
    this.size = size;
    this.total = size.accounts() * BALANCE;
  }

  /** Makes the schema and its accounts anew. */
  public void create() throws SQLException {
    try (Connection connection = MiniCluster.connect(size.ports().getFirst(), "", "");
        Statement statement = connection.createStatement()) {
      statement.execute("DROP DATABASE IF EXISTS " + DatabaseNames.quoted(SCHEMA));
      statement.execute("CREATE DATABASE " + DatabaseNames.quoted(SCHEMA));
      statement.execute(
          "CREATE TABLE "
              + TABLE
              + " (id INT PRIMARY KEY, balance BIGINT NOT NULL)"
              + " PARTITION BY HASH(id) PARTITIONS "
              + 2 * size.dns());
      statement.execute(
          "INSERT INTO "
              + TABLE
              + " VALUES "
              + IntStream.range(0, size.accounts())
                  .mapToObj(id -> "(" + id + ", " + BALANCE + ")")
                  .collect(Collectors.joining(", ")));
      if (size.columns()) {
        statement.execute("CREATE CLUSTERED COLUMNAR INDEX by_column ON " + TABLE + " (id)");
      }
    }
  }

  /**
   * Lets the clients work for so long, or until {@code stop} is set.
   *
   * @param seed what is moved and read
   */
  public void run(long seconds, long seed, AtomicBoolean stop) throws Exception {
    long start = System.nanoTime();
    long end = start + TimeUnit.SECONDS.toNanos(seconds);
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all = new ArrayList<>();
      Turn turn = () -> System.nanoTime() - end < 0 && !stop.get();
      for (int i = 0; i < size.writers(); i++) {
        int port = size.ports().get(i % size.ports().size());
        Random random = new Random(seed + i);
        all.add(clients.submit(() -> write(port, random, turn)));
      }
      for (int port : size.ports()) {
        all.add(clients.submit(() -> read(port, List.of(Form.SUM, Form.ALL_ROWS), turn)));
        all.add(
            clients.submit(() ->
                read(
                    port,
                    List.of(Form.TWO_HALVES, Form.ONE_THEN_OTHERS, Form.CONSISTENT_SNAPSHOT),
                    turn)));
        if (size.columns()) {
          all.add(clients.submit(() -> read(port, List.of(Form.COLUMNS), turn)));
        }
      }
      for (Future<?> client : all) {
        client.get();
      }
    }
    nanos.addAndGet(System.nanoTime() - start);
  }

  /** Whether a client goes on. */
  private interface Turn {
    boolean another();
  }

  private void write(int port, Random random, Turn turn) {
    try (Client client =
        new Client(port, SCHEMA, "", List.of("SET innodb_lock_wait_timeout = 5"))) {
      while (turn.another()) {
        boolean committing = false;
        try {
          client.connection();
          client.execute("START TRANSACTION");
          move(client, random);
          committing = true;
          client.execute("COMMIT");
          transfers.increment();
        } catch (SQLException e) {
          errors.add(committing ? "commit" : "transfer", e);
          if (client.after(e) == Client.Loss.ANSWER) {
            if (committing) {
              unknown.increment();
            }
            Client.rest();
          }
          client.rollBack();
        }
      }
    }
  }

  /**
   * From one account to another of another DN, the lower number first: so nobody deadlocks. By two
   * statements, or by one that writes both rows.
   */
  private void move(Client client, Random random) throws SQLException {
    int one = random.nextInt(size.accounts());
    int other;
    do {
      other = random.nextInt(size.accounts());
    } while (other % size.dns() == one % size.dns());
    long amount = 1 + random.nextInt(20);
    if (random.nextBoolean()) {
      amount = -amount;
    }
    int low = Math.min(one, other);
    int high = Math.max(one, other);
    boolean inOrder = low % size.dns() < high % size.dns(); // a statement locks by partitions
    if (inOrder && random.nextInt(16) == 0) {
      client.execute(
          "UPDATE account AS x JOIN account AS y ON y.id = %d SET x.balance = x.balance - %d,"
                  .formatted(high, amount)
              + " y.balance = y.balance + %d WHERE x.id = %d".formatted(amount, low));
      return;
    }
    change(client, low, -amount);
    change(client, high, amount);
  }

  private static void change(Client client, int account, long by) throws SQLException {
    client.execute("UPDATE account SET balance = balance + " + by + " WHERE id = " + account);
  }

  private void read(int port, List<Form> forms, Turn turn) {
    try (Client client = new Client(port, SCHEMA, "", size.readers())) {
      for (int i = 0; turn.another(); i++) {
        Form form = forms.get(i % forms.size());
        try {
          client.connection();
          judge(form, port, reading(client, form, i));
          reads.computeIfAbsent(form, f -> new LongAdder()).increment();
        } catch (SQLException e) {
          errors.add("read " + form, e);
          if (client.after(e) == Client.Loss.ANSWER) {
            Client.rest();
          }
          client.rollBack();
        }
      }
    }
  }

  /** What is seen: sum and number of the accounts, for each statement. */
  private List<long[]> reading(Client client, Form form, int turn) throws SQLException {
    String sum = "SELECT SUM(balance), COUNT(*) FROM account";
    return switch (form) {
      case SUM -> List.of(client.row(sum));
      case COLUMNS -> List.of(client.row(sum.replace("SELECT", "SELECT /*+ WORKLOAD_TYPE(AP) */")));
      case ALL_ROWS -> List.of(added(client));
      case TWO_HALVES -> {
        int half = size.accounts() / 2;
        yield transaction(client, "", sum + " WHERE id < " + half, sum + " WHERE id >= " + half);
      }
      case ONE_THEN_OTHERS -> {
        int one = turn % size.accounts();
        yield transaction(
            client,
            turn % 2 == 0 ? "" : " READ ONLY",
            "SELECT balance, 1 FROM account WHERE id = " + one,
            sum + " WHERE id <> " + one);
      }
      case CONSISTENT_SNAPSHOT -> {
        int one = turn % size.accounts();
        yield transaction(
            client,
            " WITH CONSISTENT SNAPSHOT",
            sum + " WHERE id <> " + one,
            "SELECT balance, 1 FROM account WHERE id = " + one);
      }
    };
  }

  private static List<long[]> transaction(Client client, String how, String... queries)
      throws SQLException {
    List<long[]> rows = new ArrayList<>();
    client.execute("START TRANSACTION" + how);
    for (String query : queries) {
      rows.add(client.row(query));
    }
    client.execute("COMMIT");
    return rows;
  }

  private static long[] added(Client client) throws SQLException {
    long[] sum = new long[2];
    try (Statement statement = client.connection().createStatement();
        ResultSet rows = statement.executeQuery("SELECT id, balance FROM account")) {
      while (rows.next()) {
        sum[0] += rows.getLong(2);
        sum[1]++;
      }
    }
    return sum;
  }

  private void judge(Form form, int port, List<long[]> parts) {
    long money = parts.stream().mapToLong(part -> part[0]).sum();
    long accounts = parts.stream().mapToLong(part -> part[1]).sum();
    if (money != total || accounts != size.accounts()) {
      torn.computeIfAbsent(form, f -> new LongAdder()).increment();
      synchronized (explained) {
        if (explained.size() < MOST_EXPLAINED) {
          explained.add(
              new Anomaly(
                  Anomaly.Kind.TORN_TOTAL,
                  LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.MILLIS)
                      + ": "
                      + form
                      + " through port "
                      + port
                      + " read "
                      + money
                      + " in "
                      + accounts
                      + " accounts instead of "
                      + total
                      + " in "
                      + size.accounts()));
        }
      }
    }
  }

  /** All accounts as they are, when nobody writes, through an endpoint. */
  public List<Anomaly> checkAtRest(int port) throws SQLException {
    List<Long> balances = new ArrayList<>();
    try (Connection connection = MiniCluster.connect(port, SCHEMA, "");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT balance FROM account")) {
      while (rows.next()) {
        balances.add(rows.getLong(1));
      }
    }
    return new BankCheck(size.accounts(), total)
        .check(List.of(new BankCheck.Reading("port " + port, balances)));
  }

  /** Transfers whose COMMIT was answered. */
  public long transfers() {
    return transfers.sum();
  }

  /** Transfers whose COMMIT was not answered. */
  public long unknown() {
    return unknown.sum();
  }

  /** Readings that were answered, of all forms. */
  public long readings() {
    return reads.values().stream().mapToLong(LongAdder::sum).sum();
  }

  /** Readings that did not add up. */
  public long tornTotals() {
    return torn.values().stream().mapToLong(LongAdder::sum).sum();
  }

  /** Some of the torn totals. */
  public List<Anomaly> explained() {
    synchronized (explained) {
      return List.copyOf(explained);
    }
  }

  /** Errors in lines, but those that clients meet at any time: 1213 and 1205. */
  public String unexpectedErrors() {
    return errors.textOfOthers();
  }

  /** Transfers per second of all runs so far. */
  public double transfersPerSecond() {
    return transfers.sum() / Math.max(1e-9, nanos.get() / 1e9);
  }

  /** All counts, in lines. */
  public String text() {
    return String.format(
        "%d transfers, %.0f/s, %d without an answer; reads %s, torn %s%n%s",
        transfers.sum(), transfersPerSecond(), unknown.sum(), reads, torn, errors.text());
  }
}
