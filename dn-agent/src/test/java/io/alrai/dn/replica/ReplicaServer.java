package io.alrai.dn.replica;

import io.alrai.common.id.DnId;
import io.alrai.dn.backend.Answer;
import io.alrai.dn.backend.Credentials;
import io.alrai.dn.backend.Eventually;
import io.alrai.dn.backend.MysqldConnector;
import io.alrai.dn.backend.ServerConnections;
import io.alrai.dn.binlog.LogFiles;
import io.alrai.dn.group.MysqldRoles;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.mysqld.DataDirectoryTemplate;
import io.alrai.dn.mysqld.InstallProgress;
import io.alrai.dn.mysqld.MysqldConfig;
import io.alrai.dn.mysqld.MysqldInstance;
import io.alrai.dn.mysqld.MysqldListener;
import io.alrai.dn.mysqld.MysqldMemory;
import io.alrai.dn.mysqld.MysqldSupervisor;
import io.alrai.dn.mysqld.TestAccounts;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** A real mysqld that is killed, and started again with whatever options a test wants. */
final class ReplicaServer implements AutoCloseable {
  private static final DataDirectoryTemplate TEMPLATE =
      TestAccounts.template(InstallProgress.silent());
  private static final EventLoopGroup LOOPS =
      new MultiThreadIoEventLoopGroup(
          2, new DefaultThreadFactory("replicas", true), EpollIoHandler.newFactory());

  private final MysqldConfig base;
  private MysqldInstance instance;
  private MysqldConnector connector;
  private MysqldSupervisor supervisor;

  /** Started. */
  ReplicaServer(Path directory, int serverId, UnaryOperator<MysqldConfig> options) {
    base =
        MysqldConfig.of(directory, serverId).withMemory(new MysqldMemory(64L << 20, 32L << 20, 60));
    start(options);
  }

  /** Durable, each commit waits without a bound for an acknowledgement. */
  static UnaryOperator<MysqldConfig> leading() {
    return MysqldConfig::withSemiSync;
  }

  /** Not durable, and able to lead: nothing but SET GLOBAL is needed. */
  static UnaryOperator<MysqldConfig> following(int flush) {
    return config ->
        config
            .withOption("plugin-load-add", "semisync_source.so")
            .withOption("relay-log", "relay")
            .withOption("skip-replica-start", "ON")
            .withOption("relay-log-recovery", "ON")
            .withOption("log-replica-updates", "ON")
            .withOption("replicate-same-server-id", "ON")
            .withOption("super-read-only", "ON")
            .withOption("sync-binlog", "0")
            .withOption("innodb-flush-log-at-trx-commit", Integer.toString(flush));
  }

  /** After it was killed or stopped. */
  void start(UnaryOperator<MysqldConfig> options) {
    instance = MysqldInstance.create(TEMPLATE, options.apply(base));
    connector =
        new MysqldConnector(
            new DnId("dn-1"),
            instance.socketPath(),
            account ->
                new Credentials(
                    account == BackendAccount.AGENT
                        ? MysqldInstance.AGENT_ACCOUNT
                        : MysqldInstance.ADMIN_ACCOUNT,
                    instance.password()));
    supervisor = new MysqldSupervisor(instance, MysqldListener.none());
    supervisor.start();
  }

  MysqldInstance instance() {
    return instance;
  }

  Path dataDirectory() {
    return instance.dataDirectory();
  }

  String uuid() {
    return instance.serverUuid().orElseThrow().toString();
  }

  /** kill -9. */
  void kill() {
    supervisor.stopNow();
  }

  /** SIGTERM. */
  void stop() {
    supervisor.stop();
  }

  /** While it does not run. */
  void deleteBinlog() throws IOException {
    LogFiles.delete(dataDirectory());
  }

  /** One of the loops that all servers share. */
  static EventLoop loop() {
    return LOOPS.next();
  }

  /** What its agent has it do. */
  MysqldRoles roles() {
    return new MysqldRoles(new DnId("dn-1"), connector, LOOPS.next(), true, System::nanoTime);
  }

  private ServerConnections connections() {
    return new ServerConnections(connector, LOOPS);
  }

  Branch connect() throws Exception {
    return connections().connect(BackendAccount.ADMIN);
  }

  /** A connection that may come later. */
  CompletableFuture<Branch> connecting(BackendAccount account) {
    return connections().connecting(account);
  }

  /** Sends statements; the answer comes later. */
  static CompletableFuture<Answer> send(Branch branch, String sql) {
    return ServerConnections.send(branch, sql);
  }

  static List<List<String>> run(Branch branch, String sql) throws Exception {
    return get(send(branch, sql)).rows();
  }

  static <T> T get(CompletableFuture<T> future) throws Exception {
    return ServerConnections.get(future);
  }

  /** Runs statements on a connection of their own; gives their rows. */
  List<List<String>> query(String sql) throws Exception {
    return connections().query(sql);
  }

  /** The only field of the only row. */
  String value(String sql) throws Exception {
    return query(sql).getFirst().getFirst();
  }

  /** Whether it answers and has the database. */
  boolean isThere(String database) {
    try {
      return !query("SHOW DATABASES LIKE '" + database + "'").isEmpty();
    } catch (Exception down) {
      return false;
    }
  }

  String executed() throws Exception {
    return value("SELECT @@global.gtid_executed").replace("\n", "");
  }

  /** What XA RECOVER lists, sorted. */
  List<String> prepared() throws Exception {
    return query("XA RECOVER").stream().map(List::getLast).sorted().toList();
  }

  /**
   * Makes it a replica of what listens there; nothing is started.
   *
   * @param source whose accounts answer there
   */
  void follow(int port, ReplicaServer source) throws Exception {
    // the source has seen the password once: later logins need no secure connection
    Branch login = get(source.connecting(BackendAccount.AGENT));
    login.eventLoop().execute(login::close);
    query(
        "CHANGE REPLICATION SOURCE TO SOURCE_HOST='127.0.0.1',SOURCE_PORT="
            + port
            + ",SOURCE_USER='"
            + MysqldInstance.AGENT_ACCOUNT
            + "',SOURCE_PASSWORD='"
            + source.instance.password()
            + "',SOURCE_AUTO_POSITION=1,GET_SOURCE_PUBLIC_KEY=1,SOURCE_SSL=0"
            + ",SOURCE_CONNECT_RETRY=1,SOURCE_RETRY_COUNT=100000");
  }

  /** Waits until all of the set is applied, for as long as it goes on. */
  void awaitApplied(String gtids) throws Exception {
    long end = System.nanoTime() + Eventually.PATIENCE.toNanos();
    String before = "";
    while (!value("SELECT WAIT_FOR_EXECUTED_GTID_SET('" + gtids + "',1)").equals("0")) {
      String now = executed();
      if (!now.equals(before)) {
        before = now;
        end = System.nanoTime() + Eventually.PATIENCE.toNanos();
      }
      if (System.nanoTime() - end > 0 || !applierError().isEmpty()) {
        throw new AssertionError(
            gtids + " is not applied but " + now + ": " + applierError() + receiver());
      }
    }
  }

  /** Why the applier stopped; empty while it did not. */
  String applierError() throws Exception {
    List<String> errors =
        query(
                "SELECT last_error_message FROM"
                    + " performance_schema.replication_applier_status_by_worker"
                    + " WHERE last_error_number<>0")
            .stream()
            .map(List::getFirst)
            .toList();
    return String.join("\n", errors);
  }

  /** State and last error of the receiver. */
  List<List<String>> receiver() throws Exception {
    return query(
        "SELECT service_state,last_error_number,last_error_message,received_transaction_set"
            + " FROM performance_schema.replication_connection_status");
  }

  @Override
  public void close() {
    kill();
  }
}
