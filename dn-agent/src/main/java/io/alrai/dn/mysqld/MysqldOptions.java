package io.alrai.dn.mysqld;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Renders the server's options. Pure. */
final class MysqldOptions {
  /** What the performance schema would keep beside the transactions of its threads: 240 MB. */
  private static final List<String> NOT_KEPT =
      List.of(
          "digests-size",
          "events-statements-history-long-size",
          "events-statements-history-size",
          "events-transactions-history-size",
          "events-transactions-history-long-size",
          "events-waits-history-size",
          "events-waits-history-long-size",
          "events-stages-history-size",
          "events-stages-history-long-size",
          "accounts-size",
          "users-size",
          "hosts-size",
          "error-size",
          "max-digest-length",
          "max-sql-text-length",
          "max-memory-classes",
          "max-mutex-classes",
          "max-rwlock-classes",
          "max-cond-classes",
          "max-file-classes",
          "max-socket-classes",
          "max-stage-classes",
          "max-statement-classes",
          "max-table-instances",
          "max-table-handles",
          "max-table-lock-stat",
          "max-index-stat",
          "max-program-instances",
          "max-prepared-statements-instances",
          "max-metadata-locks",
          "max-file-handles",
          "max-file-instances",
          "max-mutex-instances",
          "max-rwlock-instances",
          "max-cond-instances",
          "max-socket-instances",
          "max-meter-classes",
          "max-metric-classes",
          "max-logger-classes",
          "setup-objects-size",
          "session-connect-attrs-size");

  /**
   * What a mysqld that is fed keeps of what it has not applied; a longer transaction is more. One
   * that needs more than its group keeps for it is made anew, so it is no less than that.
   */
  private static final long RELAY_LOG_BYTES = 4L << 30;

  private MysqldOptions() {}

  /** The options of a running instance, without the program. */
  static List<String> render(MysqldConfig config, InstanceFiles files) {
    List<String> options = new ArrayList<>();
    addFiles(options, files);
    addNetwork(options, config);
    addLogs(options, config);
    addSizes(options, config);
    addBehaviour(options, config);
    if (config.group()) {
      addReplica(options);
    }
    addPerformanceSchema(options);
    for (Map.Entry<String, String> option : config.options().entrySet()) {
      options.add("--" + option.getKey() + "=" + option.getValue());
    }
    return options;
  }

  private static void addFiles(List<String> options, InstanceFiles files) {
    options.add(dataDirectory(files));
    options.add("--tmpdir=" + files.tmp());
    options.add("--socket=" + files.socket());
    options.add("--pid-file=" + files.pid());
    options.add("--log-error=" + files.errorLog());
    options.add("--secure-file-priv=" + files.files());
    options.add("--init-file=" + files.accounts());
  }

  /** The option by which a running server is recognised as the one of this instance. */
  static String dataDirectory(InstanceFiles files) {
    return "--datadir=" + files.data();
  }

  private static void addNetwork(List<String> options, MysqldConfig config) {
    options.add("--server-id=" + config.serverId());
    if (config.tcp().isPresent()) {
      TcpEndpoint tcp = config.tcp().get();
      options.add("--bind-address=" + tcp.bindAddress());
      options.add("--port=" + tcp.port());
    } else {
      options.add("--skip-networking");
    }
    options.add("--mysqlx=0");
    options.add("--skip-name-resolve");
    // No certificates: the way from the agent to its server is a socket.
    options.add("--auto-generate-certs=OFF");
    options.add("--tls-version=");
    options.add("--max-connections=" + config.memory().maxConnections());
    options.add("--max-allowed-packet=64M");
    // each branch keeps its own
    options.add("--max-prepared-stmt-count=1000000");
    options.add("--back-log=400");
  }

  private static void addLogs(List<String> options, MysqldConfig config) {
    options.add("--log-bin=binlog");
    // The CNs decide who may make functions, and which.
    options.add("--log-bin-trust-function-creators=ON");
    options.add("--gtid-mode=ON");
    options.add("--enforce-gtid-consistency=ON");
    options.add("--binlog-row-metadata=FULL");
    options.add("--binlog-row-image=FULL");
    options.add("--binlog-transaction-compression=OFF");
    // What it remembers of changed rows for replicas that apply in parallel. 9.7 would remember ten
    // million of them, hundreds of MB.
    options.add("--binlog-transaction-dependency-history-size=25000");
    // A replica that connects makes the server scan the file: 16M take 0.1 s.
    options.add("--max-binlog-size=16M");
    // Files go when nobody needs them, however old they are: they tell what was decided.
    options.add("--binlog-expire-logs-auto-purge=OFF");
    options.add("--binlog-expire-logs-seconds=0");
    boolean flushed = config.durable() && !config.group();
    options.add("--sync-binlog=" + (flushed ? 1 : 0));
    options.add("--innodb-flush-log-at-trx-commit=" + (flushed ? 1 : 2));
  }

  private static void addSizes(List<String> options, MysqldConfig config) {
    options.add("--innodb-buffer-pool-size=" + config.memory().bufferPoolBytes());
    options.add("--innodb-redo-log-capacity=" + config.memory().redoLogBytes());
    // The default of 64M is held in memory from the start.
    options.add("--innodb-log-buffer-size=16M");
    // A table group of n partitions is n physical tables for each logical one.
    options.add("--table-open-cache=4000");
    options.add("--table-definition-cache=4000");
    options.add("--thread-cache-size=64");
  }

  private static void addBehaviour(List<String> options, MysqldConfig config) {
    options.add("--character-set-server=utf8mb4");
    options.add("--lower-case-table-names=0");
    // GRANT takes the names of schemas as they are, and roles have what is granted in `a_b`.
    options.add("--partial-revokes=ON");
    options.add("--local-infile=ON");
    options.add("--event-scheduler=OFF");
    // CNs count on it for sessions that have not chosen another. What a replica applies locks no
    // gaps; it is set before CNs come.
    options.add(
        "--transaction-isolation=" + (config.group() ? "READ-COMMITTED" : "REPEATABLE-READ"));
    options.add("--xa-detach-on-prepare=ON");
  }

  /** What a mysqld needs that is fed by its agent (docs/design/0070, 0073). */
  private static void addReplica(List<String> options) {
    options.add("--super-read-only=ON");
    options.add("--skip-replica-start=ON");
    // without it an XA PREPARE that was applied is lost at the next start
    options.add("--log-replica-updates=ON");
    // an old leader takes back what it wrote itself
    options.add("--replicate-same-server-id=ON");
    options.add("--relay-log=relay");
    options.add("--relay-log-purge=ON");
    // what was received is thrown away at each start, and asked for again
    options.add("--relay-log-recovery=ON");
    options.add("--sync-relay-log=0");
    // What it does not apply in time stays in the log of its group.
    options.add("--relay-log-space-limit=" + RELAY_LOG_BYTES);
    options.add("--replica-parallel-workers=4");
    options.add("--replica-preserve-commit-order=ON");
    options.add("--replica-net-timeout=4");
  }

  /**
   * Only what shows who waits for whose locks, in which transaction: 5 MB, and no cost that could
   * be measured.
   */
  private static void addPerformanceSchema(List<String> options) {
    options.add("--performance-schema=ON");
    options.add("--performance-schema-instrument=%=OFF");
    options.add("--performance-schema-instrument=thread/%=ON");
    options.add("--performance-schema-instrument=transaction=ON");
    // Loose: 8.4 does not know all of them.
    for (String kept : NOT_KEPT) {
      options.add("--loose-performance-schema-" + kept + "=0");
    }
  }
}
