package io.alrai.dn.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.binlog.LogFiles;
import io.alrai.dn.binlog.TransactionKind.Commit;
import io.alrai.dn.binlog.TransactionKind.OnePhase;
import io.alrai.dn.binlog.TransactionKind.XaCommit;
import io.alrai.dn.binlog.TransactionKind.XaPrepare;
import io.alrai.dn.binlog.TransactionKind.XaRollback;
import io.alrai.dn.binlog.Xid;
import io.alrai.dn.link.Branch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Clients that write, half of it in XA branches that stay prepared for a while, and what must be
 * there after any prefix of the log.
 *
 * <p>Each transaction has a number, which it inserts into {@code f.journal}; and it adds 1 to each
 * of two rows of {@code f.counter}, three in a branch. A branch is named after its number; of plain
 * transactions the log has the connection, and those of a connection come in its order.
 */
final class XaLoad implements AutoCloseable {
  private static final int CLIENTS = 4;
  private static final int ROWS_OF_A_CLIENT = 1_000;
  private static final int MOST_PREPARED = 12;

  /** Slow enough for followers on a machine that has other work. */
  private static final int PAUSE_MILLIS = 6;

  private static final long NUMBERS_OF_A_CLIENT = 1_000_000_000L;

  private final ReplicaServer source;
  private final List<Thread> threads = new ArrayList<>();
  private final List<Exception> failures = new CopyOnWriteArrayList<>();

  /** The plain transactions of each connection, in their order; the last may not be in the log. */
  private final Map<Long, List<Long>> plain = new ConcurrentHashMap<>();

  private volatile boolean ending;

  /** The tables; nobody writes yet. */
  XaLoad(ReplicaServer source) throws Exception {
    this.source = source;
    StringBuilder rows = new StringBuilder();
    IntStream.range(0, CLIENTS * ROWS_OF_A_CLIENT)
        .forEach(row -> rows.append(row == 0 ? "(" : ",(").append(row).append(",0)"));
    source.query(
        "CREATE DATABASE f;CREATE TABLE f.counter (id INT PRIMARY KEY, v INT, KEY (v));"
            + "CREATE TABLE f.journal (id BIGINT PRIMARY KEY);INSERT INTO f.counter VALUES "
            + rows);
  }

  /** Begins to write. */
  void start(long seed) {
    for (int i = 0; i < CLIENTS; i++) {
      int client = i;
      long numbers = threads.size() * NUMBERS_OF_A_CLIENT;
      Random random = new Random(seed * 31 + client);
      threads.add(Thread.ofVirtual().start(() -> write(client, numbers, random)));
    }
  }

  private void write(int client, long numbers, Random random) {
    List<Long> prepared = new ArrayList<>();
    try {
      Branch branch = source.connect();
      List<Long> own = new CopyOnWriteArrayList<>();
      plain.put(branch.serverConnectionId(), own);
      for (long number = numbers; !ending; number++) {
        String sql;
        if (prepared.size() > random.nextInt(2, MOST_PREPARED)) {
          // a row that one of them has locked is not written again
          boolean old = prepared.getFirst() < number - ROWS_OF_A_CLIENT / 10;
          long of = prepared.remove(old ? 0 : random.nextInt(prepared.size()));
          sql = (random.nextInt(100) < 85 ? "XA COMMIT '" : "XA ROLLBACK '") + of + "'";
        } else if (random.nextBoolean()) {
          own.add(number);
          sql = "BEGIN" + rows(client, number, 2) + ";COMMIT";
        } else {
          prepared.add(number);
          String name = "'" + number + "'";
          sql = "XA START " + name + rows(client, number, 3) + ";XA END " + name;
          sql += ";XA PREPARE " + name;
        }
        ReplicaServer.run(branch, sql);
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      }
    } catch (Exception e) {
      if (!ending) {
        failures.add(e);
      }
    }
  }

  private static String rows(int client, long number, int counters) {
    StringBuilder sql = new StringBuilder();
    for (int i = 0; i < counters; i++) {
      long row = client * ROWS_OF_A_CLIENT + (number * 3 + i) % ROWS_OF_A_CLIENT;
      sql.append(";UPDATE f.counter SET v=v+1 WHERE id=").append(row);
    }
    return sql.append(";INSERT INTO f.journal VALUES (").append(number).append(')').toString();
  }

  /** From now on errors are expected: the source is about to be killed. */
  void expectEnd() {
    ending = true;
  }

  /** Nobody writes any more. */
  void end() throws Exception {
    ending = true;
    for (Thread thread : threads) {
      thread.join();
    }
    if (!failures.isEmpty()) {
      throw new AssertionError("a client failed", failures.getFirst());
    }
  }

  /** What a prefix of the log leaves. */
  private static final class Left {
    private final TreeSet<Long> journal = new TreeSet<>();
    private final TreeSet<String> prepared = new TreeSet<>();
    private long sum;

    private void committed(long number, int counters) {
      journal.add(number);
      sum += counters;
    }

    private void branch(Xid xid) {
      prepared.remove(xid.gtrid());
      committed(Long.parseLong(xid.gtrid()), 3);
    }
  }

  /**
   * Compares what a server has with what must be there: the transactions of its gtid_executed,
   * which are the first of the log. The last commit group may be there in part: its transactions
   * were prepared at one time, so none needs another.
   *
   * @param log data directory with the whole log
   * @return how many of the log it has not
   */
  int assertPrefix(Path log, ReplicaServer server) throws Exception {
    List<BinlogTransaction> all = LogFiles.kinds(log);
    String executed = server.executed();
    GtidSet has = GtidSet.parse(executed);
    List<BinlogTransaction> there =
        all.stream().filter(transaction -> has.contains(transaction.gtid())).toList();
    GtidSet known = new GtidSet();
    there.forEach(transaction -> known.add(transaction.gtid()));
    assertEquals(known, has, "not from this log");
    int first = 0;
    while (first < all.size() && has.contains(all.get(first).gtid())) {
      first++;
    }
    if (first < there.size()) {
      int end = all.indexOf(there.getLast()) + 1;
      List<String> torn =
          all.subList(first, end).stream()
              .map(one -> (has.contains(one.gtid()) ? "" : "not ") + one.kind())
              .toList();
      Facts.print("a torn commit group: %s", torn);
      assertTrue(torn.size() <= CLIENTS, "gaps: " + executed + " of " + all.size());
    }
    Left left = left(all, has);
    assertEquals(List.copyOf(left.prepared), server.prepared(), "prepared at " + executed);
    List<Long> journal =
        server.query("SELECT id FROM f.journal ORDER BY id").stream()
            .map(row -> Long.parseLong(row.getFirst()))
            .toList();
    assertEquals(List.copyOf(left.journal), journal, "journal at " + executed);
    for (String index : List.of("PRIMARY", "v")) {
      assertEquals(
          Long.toString(left.sum),
          server.value("SELECT IFNULL(SUM(v),0) FROM f.counter FORCE INDEX (" + index + ")"),
          "sum by " + index + " at " + executed);
    }
    return all.size() - there.size();
  }

  private Left left(List<BinlogTransaction> transactions, GtidSet has) {
    Left left = new Left();
    Map<Long, Integer> read = new HashMap<>();
    for (BinlogTransaction transaction : transactions) {
      switch (transaction.kind()) {
        case Commit _ -> {
          List<Long> own = plain.get(transaction.connectionId());
          int index = read.merge(transaction.connectionId(), 1, Integer::sum) - 1;
          if (own != null && has.contains(transaction.gtid())) {
            left.committed(own.get(index), 2);
          }
        }
        case XaPrepare _, XaCommit _, OnePhase _, XaRollback _
            when !has.contains(transaction.gtid()) -> {}
        case XaPrepare prepare -> left.prepared.add(prepare.xid().gtrid());
        case XaCommit commit -> left.branch(commit.xid());
        case OnePhase commit -> left.branch(commit.xid());
        case XaRollback rollback -> left.prepared.remove(rollback.xid().gtrid());
        default -> {}
      }
    }
    return left;
  }

  @Override
  public void close() {
    expectEnd();
  }
}
