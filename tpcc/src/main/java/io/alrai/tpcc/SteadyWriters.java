package io.alrai.tpcc;

import io.alrai.common.jdbc.MysqlEndpoint;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Clients that insert one numbered row after the other, each into a partition of its own, and
 * remember what became of each number: to say afterwards, when parts of a cluster have failed, how
 * long nobody could write and whether a row is lost, twice there, or there though it was rolled
 * back. Started, asked and closed by one thread.
 */
public final class SteadyWriters implements AutoCloseable {
  /** How long a client waits for an answer before it takes it for lost. */
  private static final String TIMEOUTS = "connectTimeout=5000&socketTimeout=60000";

  private static final String DATABASE = "steady";
  private static final int MOST_WRONG = 20;

  private final MysqlEndpoint endpoint;
  private final List<SteadyWriter> writers = new ArrayList<>();

  /**
   * Clients that do nothing yet.
   *
   * @param server {@code mysql://user@host:port}
   * @param count of clients, and of partitions
   */
  public SteadyWriters(String server, int count) {
    this.endpoint = MysqlEndpoint.parse(server + "/" + DATABASE + "?" + TIMEOUTS, DATABASE);
    for (int i = 0; i < count; i++) {
      writers.add(new SteadyWriter(endpoint, i, count, System::nanoTime));
    }
  }

  /** A session of its own at the server; whoever asks closes it. */
  public Connection connect() throws SQLException {
    return endpoint.connectToServer();
  }

  /** Makes the table, without a primary key: a row that is written twice is there twice. */
  public void create() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute("DROP DATABASE IF EXISTS " + DATABASE);
      statement.execute("CREATE DATABASE " + DATABASE);
      statement.execute(
          "CREATE TABLE "
              + DATABASE
              + ".steady (id BIGINT NOT NULL, KEY (id)) PARTITION BY HASH(id) PARTITIONS "
              + writers.size());
    }
  }

  /** Lets them write, a millisecond between an answer and the next row. */
  public void start() {
    writers.forEach(SteadyWriter::start);
  }

  /** Forgets the gaps of before. */
  public void mark() {
    writers.forEach(SteadyWriter::mark);
  }

  /** The longest time between two acknowledgements of one client since the last mark. */
  public double longestGapMillis() {
    return writers.stream().mapToLong(SteadyWriter::longestGapNanos).max().orElse(0) / 1e6;
  }

  /** Rows that were acknowledged, of the client that has fewest. */
  public long fewest() {
    return writers.stream().mapToLong(SteadyWriter::acknowledged).min().orElse(0);
  }

  /** Rows that were acknowledged, client by client. */
  public List<Long> acknowledgedOfEach() {
    return writers.stream().map(SteadyWriter::acknowledged).toList();
  }

  /** Rows that were acknowledged. */
  public long acknowledged() {
    return writers.stream().mapToLong(SteadyWriter::acknowledged).sum();
  }

  /** Errors, each with its number and how often it came. */
  public String errors() {
    return String.join("; ", writers.stream().map(SteadyWriter::errors).distinct().toList());
  }

  /** Errors that the clients met. */
  public long errorCount() {
    return writers.stream().mapToLong(SteadyWriter::errorCount).sum();
  }

  /** Those of {@link #errorCount} that were met by autocommit; the others in a transaction. */
  public long autocommitErrorCount() {
    return writers.stream().mapToLong(SteadyWriter::autocommitErrorCount).sum();
  }

  /** Waits until all have had the answer to what they sent last; they send no more. */
  @Override
  public void close() {
    for (SteadyWriter writer : writers) {
      writer.end();
    }
    try {
      for (SteadyWriter writer : writers) {
        writer.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * What is wrong with the rows, after {@link #close}: lost ones, those that are twice there, and
   * those that were rolled back and are there.
   */
  public List<String> wrong() throws SQLException {
    int[] found = new int[(int) writers.stream().mapToLong(SteadyWriter::bound).max().orElse(0)];
    List<String> wrong = new ArrayList<>();
    try (Connection connection = endpoint.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT id FROM steady")) {
      while (rows.next()) {
        long id = rows.getLong(1);
        if (id >= found.length) {
          wrong.add(id + " was never sent");
        } else {
          found[(int) id]++;
        }
      }
    }
    for (SteadyWriter writer : writers) {
      writer.compare(found, wrong);
    }
    return wrong.size() <= MOST_WRONG ? wrong : wrong.subList(0, MOST_WRONG);
  }

  /** A moment's rest. */
  static void rest(long millis) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(millis);
  }
}
