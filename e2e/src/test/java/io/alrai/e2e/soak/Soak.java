package io.alrai.e2e.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.error.AlraiException;
import io.alrai.dn.link.Unfit;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.DnDoors;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Hostile clients, a killer, faults of servers and witnesses on a cluster. */
final class Soak implements AutoCloseable {
  private static final int HOSTILE = 10;
  private static final List<String> DNS = List.of("dn-1", "dn-2");

  private static final String AT_WORK =
      "SELECT * FROM performance_schema.processlist WHERE command <> 'Sleep'";

  private static final String LOCKS =
      "SELECT object_type, object_schema, object_name, lock_type, lock_duration, lock_status,"
          + " processlist_id, processlist_user FROM performance_schema.metadata_locks"
          + " JOIN performance_schema.threads ON thread_id = owner_thread_id"
          + " WHERE object_type <> 'TABLE' OR lock_status <> 'GRANTED'";

  /** How long an answer to a witness may take while servers live, and while they die. */
  private static final int BOUND_MILLIS = 20_000;

  private static final int BOUND_OF_FAULTS_MILLIS = 120_000;

  /** How long a witness may see errors after a fault has ended. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final ClusterProcess cluster;
  private final List<Integer> ports;
  private final boolean faults;
  private final long seed;
  private final List<Witness> witnesses;

  /** Opened before anything happens: a mysqld that lets nobody in can still be asked. */
  private final DnDoors doors;

  private final Queue<Long> sessions = new ConcurrentLinkedQueue<>();
  private final AtomicLong steps = new AtomicLong();
  private final Map<String, Long> slowestMillis = new ConcurrentHashMap<>();
  private volatile boolean striking;
  private volatile boolean stopped;
  private volatile long struckNanos;

  Soak(ClusterProcess cluster, int cns, boolean faults, long seed) throws SQLException {
    this.cluster = cluster;
    this.ports = IntStream.range(0, cns).mapToObj(i -> cluster.port() + i).toList();
    this.faults = faults;
    this.seed = seed;
    this.struckNanos = System.nanoTime() - GRACE_NANOS;
    try (Session session = new Session(ports.getFirst(), "", BOUND_MILLIS)) {
      Witnesses.prepare(session);
      HostileStatement.prepare(session.connection());
    }
    this.witnesses = Witnesses.of(ports, faults ? BOUND_OF_FAULTS_MILLIS : BOUND_MILLIS);
    this.doors = new DnDoors(cluster.directory(), DNS);
    DNS.forEach(dn -> doors.query(dn, "SELECT 1"));
  }

  /** Lets all of them work for so long. */
  void run(int seconds) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    HostileClient.Shared shared = HostileClient.Shared.of(sessions);
    List<Callable<Void>> work = new ArrayList<>();
    for (int i = 0; i < HOSTILE; i++) {
      Runnable client = new HostileClient(ports.get(i % ports.size()), i, seed, shared, end);
      work.add(() -> {
        client.run();
        return null;
      });
    }
    for (Witness witness : witnesses) {
      work.add(() -> witness(witness, end));
    }
    work.add(() -> kill(end));
    if (faults) {
      work.add(() -> strike(end));
    }
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Void> done : executor.invokeAll(work)) {
        done.get();
      }
    }
    System.out.printf(
        "%d steps of witnesses, the slowest of each in ms %s; %d hostile connections were struck;"
            + " %s%n",
        steps.get(), new TreeMap<>(slowestMillis), shared.struck().get(), shared.runs());
  }

  private Void witness(Witness witness, long endNanos) throws SQLException {
    while (!stopped && System.nanoTime() - endNanos < 0) {
      long start = System.nanoTime();
      try {
        witness.step();
        long took = System.nanoTime() - start;
        if (!concerned(start)) {
          slowestMillis.merge(witness.getClass().getSimpleName(), took / 1_000_000, Math::max);
        }
        steps.incrementAndGet();
      } catch (SQLException e) {
        if (!concerned(start)) {
          throw found(witness, e);
        }
        recover(witness);
      }
    }
    return null;
  }

  /** A witness noticed something: says what everybody was doing, while it can still be seen. */
  private AssertionError found(Witness witness, SQLException told) {
    StringBuilder state = new StringBuilder(witness.getClass().getSimpleName());
    state.append(" was told ").append(told.getErrorCode()).append(' ').append(told.getMessage());
    for (int port : ports) {
      try (Session session = new Session(port, "", BOUND_MILLIS)) {
        state.append("\nCN at ").append(port).append(": ");
        state.append(String.join("\n  ", session.rows("SHOW FULL PROCESSLIST")));
      } catch (SQLException e) {
        state.append(e);
      }
    }
    for (String dn : DNS) {
      try {
        state.append('\n').append(dn).append(": ");
        doors.query(dn, AT_WORK).forEach(row -> state.append("\n  ").append(row));
        doors.query(dn, LOCKS).forEach(row -> state.append("\n  ").append(row));
      } catch (AlraiException e) {
        state.append('\n').append(e);
      }
    }
    state.append('\n').append(threads(cluster.process()));
    System.out.println(state);
    stopped = true;
    return new AssertionError(state.toString(), told);
  }

  /** What the threads of a JVM do, its event loops above all. */
  private static String threads(ProcessHandle jvm) {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    try {
      Process dump =
          new ProcessBuilder(jcmd.toString(), Long.toString(jvm.pid()), "Thread.print")
              .redirectErrorStream(true)
              .start();
      return new String(dump.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** Whether a fault of servers may have been seen by what began then. */
  private boolean concerned(long startNanos) {
    return striking || startNanos - struckNanos < GRACE_NANOS;
  }

  private void recover(Witness witness) throws SQLException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(BOUND_OF_FAULTS_MILLIS);
    while (true) {
      try {
        witness.recover();
        return;
      } catch (SQLException e) {
        if (System.nanoTime() - end > 0) {
          throw new AssertionError(witness.getClass().getSimpleName() + " stays out", e);
        }
        pause(500);
      }
    }
  }

  /** Kills statements and sessions of hostile clients. */
  private Void kill(long endNanos) {
    Random random = new Random(seed + 1);
    try (Session session = new Session(ports.getFirst(), "", BOUND_OF_FAULTS_MILLIS)) {
      while (!stopped && System.nanoTime() - endNanos < 0) {
        pause(20 + random.nextInt(200));
        Long victim = sessions.poll();
        if (victim == null || random.nextInt(3) > 0) {
          continue;
        }
        try {
          session.execute((random.nextBoolean() ? "KILL QUERY " : "KILL ") + victim);
        } catch (SQLException gone) {
          if (gone.getErrorCode() != 1094) {
            session.drop();
          }
        }
      }
    } catch (SQLException closed) {
      // it has done its work
    }
    return null;
  }

  private Void strike(long endNanos) {
    Random random = new Random(seed + 2);
    List<String> roles = List.of("mysqld", "dn", "cn", "gms");
    while (!stopped && System.nanoTime() - endNanos < 0) {
      pause(4_000 + random.nextInt(4_000));
      String role = roles.get(random.nextInt(roles.size()));
      String name = role.equals("gms") ? "gms-1" : role + "-" + (1 + random.nextInt(2));
      boolean stalls = random.nextBoolean();
      striking = true;
      try {
        (role.equals("mysqld")
                ? cluster.mysqld("dn-" + (1 + random.nextInt(2)))
                : cluster.role(name))
            .ifPresent(victim -> strike(victim, stalls ? 500 + random.nextInt(4_000) : 0));
        System.out.println((stalls ? "stalled " : "killed ") + name);
      } finally {
        struckNanos = System.nanoTime();
        striking = false;
      }
    }
    return null;
  }

  private static void strike(ProcessHandle victim, int stallMillis) {
    if (stallMillis == 0) {
      ClusterProcess.kill(victim);
      return;
    }
    ClusterProcess.pause(victim);
    try {
      pause(stallMillis);
    } finally {
      ClusterProcess.resume(victim);
    }
  }

  /** Nothing of the hostile clients is left: no session, job, statement, transaction, lock. */
  void checkPools() throws Exception {
    closeWitnesses();
    for (int port : ports) {
      ClusterProcess.await("the CN at " + port, 30, 250, () -> letsIn(port));
    }
    try (Session session = new Session(ports.getFirst(), "", BOUND_OF_FAULTS_MILLIS)) {
      for (int port : ports) {
        try (Session at = new Session(port, "", BOUND_OF_FAULTS_MILLIS)) {
          awaitNone(at, "SHOW PROCESSLIST", "Query,0,executing,SHOW PROCESSLIST");
        }
      }
      awaitNone(session, "SHOW DDL", "");
      for (String xid : session.rows("XA RECOVER")) {
        session.execute("XA ROLLBACK '" + xid.substring(xid.lastIndexOf(',') + 1) + "'");
      }
      ClusterProcess.await(
          "the end of all prepared transactions", 30, () -> doors.prepared().isEmpty());
      for (String dn : DNS) {
        awaitNoTransaction(doors, dn);
      }
      unclean();
    }
    everybodyIsAnswered();
  }

  /** A CN that was killed last of all refuses connections until it has started again. */
  private static boolean letsIn(int port) {
    try (Session session = new Session(port, "", BOUND_OF_FAULTS_MILLIS)) {
      return session.connection().isValid(0);
    } catch (SQLException refused) {
      return false;
    }
  }

  private static void awaitNoTransaction(DnDoors doors, String dn) {
    String open =
        "SELECT trx_started, NOW(), trx_state, trx_rows_modified, trx_rows_locked,"
            + " trx_isolation_level, t.* FROM information_schema.innodb_trx"
            + " LEFT JOIN performance_schema.threads t ON processlist_id = trx_mysql_thread_id";
    List<List<String>> left = new ArrayList<>();
    try {
      ClusterProcess.await(
          "the end of all transactions on " + dn,
          30,
          250,
          () -> {
            left.clear();
            left.addAll(doors.query(dn, open));
            return left.isEmpty();
          });
    } catch (AssertionError late) {
      String last =
          "SELECT thread_id, event_id, sql_text FROM performance_schema.events_statements_current"
              + " JOIN performance_schema.threads USING (thread_id) WHERE processlist_id = "
              + left.getFirst().get(9);
      throw new AssertionError(
          left + "\nXA: " + doors.query(dn, "XA RECOVER") + "\n" + doors.query(dn, last), late);
    }
  }

  private static void awaitNone(Session session, String sql, String mine) {
    List<String> left = new ArrayList<>();
    try {
      ClusterProcess.await(
          "the end of " + sql,
          60,
          250,
          () -> {
            try {
              left.clear();
              session.rows(sql).stream()
                  .filter(row -> mine.isEmpty() || !row.contains(sql))
                  .forEach(left::add);
              return left.isEmpty();
            } catch (SQLException e) {
              throw new AssertionError(sql, e);
            }
          });
    } catch (AssertionError late) {
      throw new AssertionError(left + " after " + sql + ": " + late.getCause(), late);
    }
  }

  /**
   * Connections that were found unclean when they came back: the pool closes and logs them. Only a
   * reply left outstanding by a client that was killed or has left may be logged.
   */
  private void unclean() throws IOException {
    Map<String, Long> reasons = new TreeMap<>();
    try (Stream<Path> files = Files.walk(cluster.directory())) {
      for (Path file : files.filter(name -> name.toString().endsWith(".log")).toList()) {
        Files.readAllLines(file).stream()
            .filter(line -> line.contains("can serve nobody else: "))
            .map(line -> line.replaceAll(".* nobody else: ", ""))
            .forEach(reason -> reasons.merge(reason, 1L, Long::sum));
      }
    }
    reasons.forEach((reason, count) -> System.out.println("unfit: " + reason + " " + count));
    reasons.remove(Unfit.BUSY.label());
    assertEquals(Map.of(), reasons, "connections that came back unclean");
  }

  /** Every pooled connection of every loop answers. */
  private void everybodyIsAnswered() throws Exception {
    List<Callable<Void>> work = new ArrayList<>();
    for (int i = 0; i < 48; i++) {
      int port = ports.get(i % ports.size());
      work.add(() -> {
        try (Session session = new Session(port, Witnesses.SCHEMA, BOUND_MILLIS)) {
          for (int n = 0; n < 5; n++) {
            session.expect(List.of("1000"), "SELECT COUNT(*) FROM wide");
            session.expect(List.of(), "SELECT n FROM pair WHERE a = -1");
          }
        }
        return null;
      });
    }
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Void> done : executor.invokeAll(work)) {
        done.get();
      }
    }
  }

  /** What was acknowledged to witnesses is there. */
  void checkWitnesses() throws SQLException {
    for (Witness witness : witnesses) {
      witness.recover();
    }
  }

  private static void pause(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  private void closeWitnesses() throws SQLException {
    for (Witness witness : witnesses) {
      witness.close();
    }
  }

  @Override
  public void close() throws SQLException {
    closeWitnesses();
    doors.close();
  }
}
