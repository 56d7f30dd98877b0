package io.alrai.dn.group;

import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.dn.backend.BackendConnector;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.mysqld.MysqldException;
import io.alrai.dn.mysqld.MysqldException.Reason;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a member has its mysqld do: follow the group's log, and lead (docs/design/0070, 0073). The
 * mysqld was started with {@link io.alrai.dn.mysqld.MysqldConfig#withGroup}.
 *
 * <pre>
 *  started, read-only --follow--> follows --leaveSource--> writes would wait --openForWrites--> leads
 * </pre>
 *
 * There is no way back but the mysqld's death. Every method blocks, any thread but an event loop's;
 * each throws a {@link MysqldException} when the mysqld refuses (START_FAILED) or does not answer
 * within the bound (TIMEOUT): then it is in between, and to be killed.
 */
public final class MysqldRoles {
  private static final Logger log = LoggerFactory.getLogger(MysqldRoles.class);

  /** For what does not wait for others, but may for a slow disk. */
  private static final Duration BOUND = Duration.ofSeconds(30);

  /** After each of them it is looked whether the applier still goes on. */
  private static final long SLICE_MILLIS = 500;

  /** A thread of the engine writes it down in the background. */
  private static final Duration KEPT = Duration.ofSeconds(2);

  private static final long KEPT_LOOK_MILLIS = 10;

  private static final String DONE = "0";

  /** One row, whether it follows or not. */
  private static final Sql STATE =
      Sql.of(
          "SELECT"
              + " (SELECT received_transaction_set FROM"
              + " performance_schema.replication_connection_status LIMIT 1),"
              + "@@global.gtid_executed,"
              + " IFNULL((SELECT service_state FROM"
              + " performance_schema.replication_connection_status LIMIT 1),'OFF'),"
              + " IFNULL((SELECT service_state FROM"
              + " performance_schema.replication_applier_status LIMIT 1),'OFF'),"
              + " (SELECT CONCAT(last_error_number,': ',last_error_message) FROM"
              + " performance_schema.replication_applier_status_by_worker"
              + " WHERE last_error_number<>0 LIMIT 1),"
              + " (SELECT CONCAT(last_error_number,': ',last_error_message) FROM"
              + " performance_schema.replication_applier_status_by_coordinator"
              + " WHERE last_error_number<>0 LIMIT 1),"
              + " (SELECT CONCAT(last_error_number,': ',last_error_message) FROM"
              + " performance_schema.replication_connection_status"
              + " WHERE last_error_number<>0 AND service_state='OFF' LIMIT 1)");

  /** What would be known as executed if there were no log. */
  private static final Sql KEPT_RANGES =
      Sql.of(
          "SELECT CONCAT(source_uuid,IF(gtid_tag='','',CONCAT(':',gtid_tag)),':',interval_start,"
              + "'-',interval_end) FROM mysql.gtid_executed");

  /**
   * Workers that are neither idle nor wait for a lock or for each other. Where there is none,
   * nothing will ever change if nothing has for a while.
   */
  private static final Sql AT_WORK =
      Sql.of(
          "SELECT COUNT(*) FROM performance_schema.replication_applier_status_by_worker w"
              + " JOIN performance_schema.threads t ON t.thread_id=w.thread_id"
              + " JOIN information_schema.processlist p ON p.id=t.processlist_id"
              + " LEFT JOIN information_schema.innodb_trx x"
              + " ON x.trx_mysql_thread_id=t.processlist_id AND x.trx_state='LOCK WAIT'"
              + " WHERE w.applying_transaction<>'' AND x.trx_id IS NULL AND"
              + " CAST(IFNULL(p.state,'') AS BINARY) NOT LIKE 'Waiting for %'");

  /** What a CN copies rows into for one statement: outside of the log, of one mysqld alone. */
  private static final Sql COPIES =
      Sql.of(
          "SELECT schema_name FROM information_schema.schemata"
              + " WHERE schema_name LIKE 'alrai\\_gather\\_%'");

  private final DnId dn;
  private final OwnStatements own;

  /** With the account that copies are made by. */
  private final OwnStatements copies;

  private final boolean durable;
  private final LongSupplier nanos;

  /**
   * Roles of one mysqld.
   *
   * @param connector to it
   * @param loop of the connections
   * @param durable whether a leader forces every commit to disk
   * @param nanos monotonic time
   */
  public MysqldRoles(
      DnId dn, BackendConnector connector, EventLoop loop, boolean durable, LongSupplier nanos) {
    this.dn = dn;
    this.own = new OwnStatements(dn, connector, loop);
    this.copies = new OwnStatements(dn, connector, loop, BackendAccount.DATA);
    this.durable = durable;
    this.nanos = nanos;
  }

  /**
   * Follows a feeder from now on; what another one has sent and was not applied is forgotten, and
   * asked for again.
   *
   * @param port on the loopback address
   * @param user who can log in there
   * @param password needs no quoting
   */
  public void follow(int port, String user, String password) throws InterruptedException {
    run(
        "follow its group",
        BOUND,
        Sql.of("STOP REPLICA"),
        Sql.of("RESET REPLICA ALL"),
        Sql.of("CHANGE REPLICATION SOURCE TO SOURCE_HOST=")
            .literal(ReplicaFeeder.HOST)
            .words(",SOURCE_PORT=")
            .number(port)
            .words(",SOURCE_USER=")
            .literal(user)
            .words(",SOURCE_PASSWORD=")
            .literal(password)
            .words(
                ",SOURCE_AUTO_POSITION=1,SOURCE_SSL=0,SOURCE_HEARTBEAT_PERIOD=0.5"
                    + ",SOURCE_CONNECT_RETRY=1,SOURCE_RETRY_COUNT=0"),
        Sql.of("START REPLICA"));
    log.info("{}: its mysqld follows the group on port {}", dn, port);
  }

  /**
   * Returns when all of a set is applied.
   *
   * @throws MysqldException START_FAILED with its error when the applier has stopped; TIMEOUT
   */
  public void awaitApplied(GtidSet set, Duration bound) throws InterruptedException {
    long end = nanos.getAsLong() + bound.toNanos();
    while (true) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - nanos.getAsLong());
      long slice = Math.max(1, Math.min(SLICE_MILLIS, left)); // 0 would be without end
      Sql wait =
          Sql.of("SELECT WAIT_FOR_EXECUTED_GTID_SET(")
              .literal(set.toString())
              .words(",")
              .number(slice)
              .words("/1000e0)");
      List<List<String>> rows = run("wait for what the group has", BOUND, wait, STATE);
      if (rows.getFirst().getFirst().equals(DONE)) {
        return;
      }
      ReplicaState state = state(rows.getLast());
      if (state.stopped()) {
        throw new MysqldException(
            Reason.START_FAILED,
            "the mysqld of " + dn + " does not apply what its group has: " + state.error());
      }
      if (left <= 0) {
        throw new MysqldException(
            Reason.TIMEOUT,
            "the mysqld of "
                + dn
                + " has not applied "
                + set
                + " within "
                + bound.toMillis()
                + " ms but "
                + state.executed());
      }
    }
  }

  /** What it has. */
  public GtidSet executed() throws InterruptedException {
    return executed(BOUND);
  }

  /** What it has, if it says so in time. */
  public GtidSet executed(Duration bound) throws InterruptedException {
    List<List<String>> rows =
        run("say what it has", bound, Sql.of("SELECT @@global.gtid_executed"));
    return GtidSet.parse(rows.getFirst().getFirst());
  }

  /** How far it has come. */
  public ReplicaState state() throws InterruptedException {
    return state(run("say how far it has come", BOUND, STATE).getFirst());
  }

  private static ReplicaState state(List<String> row) {
    String error =
        String.join("; ", row.subList(4, 7).stream().filter(text -> !text.isEmpty()).toList());
    return new ReplicaState(
        GtidSet.parse(row.get(0)),
        GtidSet.parse(row.get(1)),
        row.get(2),
        row.get(3).equals("ON"),
        error);
  }

  /** Whether it is busy with what it received, and does not only wait. */
  boolean applies() throws InterruptedException {
    return !run("say what it is busy with", BOUND, AT_WORK).getFirst().getFirst().equals("0");
  }

  /** Gets nothing more from its source; what it has got it applies. */
  public void stopReceiving() throws InterruptedException {
    run("receive nothing more", BOUND, Sql.of("STOP REPLICA IO_THREAD"));
  }

  /**
   * Follows nobody any more: its next commits are forced to disk and wait for an acknowledgement.
   * Still read-only. To be called when all is applied that the group has, and before clients'
   * connections are opened: sessions begin with the isolation that is set here.
   */
  public void leaveSource() throws InterruptedException {
    run(
        "leave its source",
        BOUND,
        Sql.of("STOP REPLICA"),
        Sql.of("RESET REPLICA ALL"),
        Sql.of("SET GLOBAL transaction_isolation='REPEATABLE-READ'"),
        Sql.of("SET GLOBAL innodb_flush_log_at_trx_commit=").number(durable ? 1 : 2),
        Sql.of("SET GLOBAL sync_binlog=").number(durable ? 1 : 0),
        Sql.of("SET GLOBAL rpl_semi_sync_source_enabled=ON"));
    log.info("{}: its mysqld follows nobody any more, and waits with what it writes", dn);
  }

  /** Takes writes, after {@link #leaveSource}. */
  public void openForWrites() throws InterruptedException {
    run(
        "take writes",
        BOUND,
        Sql.of("SET GLOBAL super_read_only=OFF"),
        Sql.of("SET GLOBAL read_only=OFF"));
    dropCopies();
    log.info("{}: its mysqld takes writes", dn);
  }

  /**
   * Nobody reads them: they were made when this mysqld led before, in another life of it, or at
   * another one, which it has cloned. Where that fails they stay until the next time.
   */
  private void dropCopies() throws InterruptedException {
    try {
      for (List<String> row : run("say which copies are left", BOUND, COPIES)) {
        String schema = row.getFirst();
        copies.run(
            "drop copies that are left",
            BOUND,
            Sql.of("SET SESSION sql_log_bin=0"),
            Sql.of("DROP DATABASE IF EXISTS ").name(schema));
        log.info("{}: the copies {} of a statement that has ended are dropped", dn, schema);
      }
    } catch (MysqldException e) {
      log.warn("{}: copies of statements that have ended stay: {}", dn, e.getMessage());
    }
  }

  /** Forces what was committed before to disk, and does not log that as a transaction. */
  public void flushEngineLogs() throws InterruptedException {
    run("flush the logs of its engines", BOUND, Sql.of("FLUSH NO_WRITE_TO_BINLOG ENGINE LOGS"));
  }

  /**
   * Forces to disk what it has, so that it needs its own log no more. To be called while nobody
   * writes: its engines have all of it, but that may be in memory; and of what has not changed them
   * they know no more than that it was executed, when the next file of the log begins.
   *
   * @return what it has
   * @throws MysqldException also when it does not know all of that without its log
   */
  public GtidSet keepWithoutLog() throws InterruptedException {
    GtidSet executed = executed();
    run("begin another file of its log", BOUND, Sql.of("FLUSH NO_WRITE_TO_BINLOG BINARY LOGS"));
    long end = nanos.getAsLong() + KEPT.toNanos();
    GtidSet kept = kept();
    while (!kept.containsAll(executed)) {
      if (nanos.getAsLong() - end > 0) {
        throw new MysqldException(
            Reason.TIMEOUT,
            "the mysqld of " + dn + " has executed " + executed + " and keeps only " + kept);
      }
      TimeUnit.MILLISECONDS.sleep(KEPT_LOOK_MILLIS);
      kept = kept();
    }
    flushEngineLogs();
    return executed;
  }

  private GtidSet kept() throws InterruptedException {
    List<String> ranges =
        run("say what it keeps", BOUND, KEPT_RANGES).stream().map(List::getFirst).toList();
    return GtidSet.parse(String.join(",", ranges));
  }

  /** Deletes what it has logged while it follows, but for the file that is written now. */
  public void purgeOwnBinlog() throws InterruptedException {
    String file =
        run("name its log", BOUND, Sql.of("SHOW BINARY LOG STATUS")).getFirst().getFirst();
    run("purge its log", BOUND, Sql.of("PURGE BINARY LOGS TO ").literal(file));
  }

  private List<List<String>> run(String what, Duration bound, Sql... statements)
      throws InterruptedException {
    return own.run(what, bound, statements);
  }
}
