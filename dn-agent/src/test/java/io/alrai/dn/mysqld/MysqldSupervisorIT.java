package io.alrai.dn.mysqld;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.dn.backend.Eventually;
import io.alrai.dn.mysqld.MysqldException.Reason;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Supervision of real servers. */
class MysqldSupervisorIT {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static DataDirectoryTemplate template;

  @TempDir Path temporary;
  private final List<MysqldSupervisor> started = new ArrayList<>();

  @BeforeAll
  static void prepareTemplate() {
    template = TestAccounts.template(new PrintedProgress());
    template.prepare();
  }

  @AfterEach
  void stopAll() {
    started.forEach(MysqldSupervisor::stopNow);
  }

  private MysqldConfig config(String name) {
    return MysqldConfig.of(temporary.resolve(name), 7)
        .withMemory(new MysqldMemory(64L << 20, 64L << 20, 50));
  }

  private MysqldSupervisor start(MysqldConfig config, MysqldListener listener) {
    return start(config, listener, SupervisorBounds.standard());
  }

  private MysqldSupervisor start(
      MysqldConfig config, MysqldListener listener, SupervisorBounds bounds) {
    MysqldInstance instance = MysqldInstance.create(template, config);
    MysqldSupervisor supervisor =
        new MysqldSupervisor(instance, listener, MysqldAttendant.none(), bounds);
    started.add(supervisor);
    supervisor.start();
    return supervisor;
  }

  private MysqldSupervisor start(MysqldConfig config) {
    return start(config, MysqldListener.none());
  }

  private static String query(MysqldSupervisor supervisor, String sql) {
    return RealServer.query(supervisor.instance(), MysqldInstance.ADMIN_ACCOUNT, sql);
  }

  @Test
  void aFreshInstanceIsReadySoonAndAsConfigured() throws IOException {
    long begin = System.nanoTime();
    MysqldSupervisor supervisor = start(config("fresh"));
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    System.out.println("fresh instance ready after " + millis + " ms");
    assertTrue(millis < 10_000, "took " + millis + " ms");

    assertEquals(
        "7\t1\tON\tROW\tFULL\t1\t1",
        query(
            supervisor,
            "SELECT @@server_id, @@log_bin, @@gtid_mode, @@binlog_format, @@binlog_row_metadata,"
                + " @@xa_detach_on_prepare, @@performance_schema"));
    assertEquals(
        "0\t0",
        query(
            supervisor,
            "SELECT (SELECT COUNT(*) FROM alrai.tx_log), (SELECT COUNT(*) FROM alrai.ddl_log)"));
    assertEquals(
        "alrai@localhost,alrai_admin@localhost,alrai_agent@localhost,alrai_data@localhost,"
            + "alrai_kill@localhost,alrai_meta@localhost",
        query(
            supervisor,
            "SELECT GROUP_CONCAT(user, '@', host ORDER BY user) FROM mysql.user"
                + " WHERE account_locked = 'N'"));
    assertEquals("", query(supervisor, "SELECT @@global.gtid_executed"));
    assertEquals(
        "GRANT PROCESS, REPLICATION SLAVE, REPLICATION CLIENT ON *.* TO `alrai_meta`@`localhost`\n"
            + "GRANT SESSION_VARIABLES_ADMIN,SHOW_ROUTINE ON *.* TO `alrai_meta`@`localhost`\n"
            + "GRANT SELECT, EXECUTE ON `sys`.* TO `alrai_meta`@`localhost`\n"
            + "GRANT SELECT ON `performance_schema`.* TO `alrai_meta`@`localhost`\n"
            + "GRANT SELECT ON `mysql`.`time_zone_name` TO `alrai_meta`@`localhost`",
        RealServer.query(supervisor.instance(), MysqldInstance.META_ACCOUNT, "SHOW GRANTS"));
    Path password = supervisor.instance().files().password();
    assertEquals(
        "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(password)));
    assertFalse(Files.exists(supervisor.instance().files().accounts()));
  }

  @Test
  void instancesOfOneTemplateAreDistinct() {
    MysqldSupervisor one = start(config("one"));
    MysqldSupervisor two = start(config("two"));
    assertNotEquals(query(one, "SELECT @@server_uuid"), query(two, "SELECT @@server_uuid"));
    assertNotEquals(one.instance().password(), two.instance().password());
  }

  @Test
  void aKilledServerIsStartedAgainWithItsData() throws Exception {
    List<String> events = Collections.synchronizedList(new ArrayList<>());
    MysqldSupervisor supervisor = start(config("killed"), recorder(events));
    query(
        supervisor,
        "CREATE DATABASE d; CREATE TABLE d.t(a INT PRIMARY KEY);" + " INSERT INTO d.t VALUES (42)");
    long pid = supervisor.pid().orElseThrow();
    supervisor.crash();
    Eventually.await("restart", () -> events.size() >= 3);
    assertEquals(List.of("up", "down ended with code 137", "up"), events);
    assertNotEquals(pid, supervisor.pid().orElseThrow());
    assertEquals("42", query(supervisor, "SELECT a FROM d.t"));
  }

  /** When a server ended, and when the next one was to be launched. */
  private static final class Pauses implements MysqldListener, MysqldAttendant {
    private final Queue<Long> millis = new ConcurrentLinkedQueue<>();
    private volatile long downNanos;

    @Override
    public void beforeLaunch(MysqldInstance instance) {
      millis.add(downNanos == 0 ? 0 : (System.nanoTime() - downNanos) / 1_000_000);
    }

    @Override
    public void attach(MysqldInstance instance, BooleanSupplier goOn) {}

    @Override
    public boolean drain(MysqldInstance instance, Duration bound) {
      return false;
    }

    @Override
    public void detach(MysqldInstance instance) {}

    @Override
    public void up(MysqldInstance instance) {}

    @Override
    public void down(MysqldInstance instance, String reason) {
      downNanos = System.nanoTime();
    }
  }

  @Test
  void oneThatIsRenewedStartsWithoutAPauseHoweverOften() throws Exception {
    Pauses pauses = new Pauses();
    MysqldSupervisor supervisor =
        new MysqldSupervisor(
            MysqldInstance.create(template, config("renewed")),
            pauses,
            pauses,
            SupervisorBounds.standard());
    started.add(supervisor);
    supervisor.start();
    for (int lives = 2; lives <= 7; lives++) {
      int now = lives;
      supervisor.renew();
      Eventually.await(
          "the next life",
          () -> pauses.millis.size() == now && supervisor.state() == MysqldState.UP);
    }
    // the sixth failure within a short time has one of 1.6 s
    assertTrue(
        pauses.millis.stream().allMatch(pause -> pause < 1_000), () -> pauses.millis.toString());
  }

  private static MysqldListener recorder(List<String> events) {
    return new MysqldListener() {
      @Override
      public void up(MysqldInstance instance) {
        events.add("up");
      }

      @Override
      public void down(MysqldInstance instance, String reason) {
        events.add("down " + reason);
      }
    };
  }

  @Test
  void theStatementRestartIsServed() throws Exception {
    List<String> events = Collections.synchronizedList(new ArrayList<>());
    MysqldSupervisor supervisor = start(config("restart"), recorder(events));
    query(supervisor, "RESTART");
    Eventually.await("restart", () -> events.size() >= 3);
    assertEquals(List.of("up", "down ended with code 16", "up"), events);
  }

  @Test
  void anOrderedStopIsOneAndAStartAfterItFindsTheData() {
    MysqldSupervisor first = start(config("stopped"));
    query(first, "CREATE DATABASE kept");
    first.stop();
    assertEquals(MysqldState.STOPPED, first.state());
    assertTrue(ErrorLogTail.read(first.instance().errorLog(), 0).contains("Shutdown complete"));
    MysqldSupervisor second = start(config("stopped"));
    assertEquals("kept", query(second, "SHOW DATABASES LIKE 'kept'"));
  }

  @Test
  void oneDirectoryIsServedOnce() {
    MysqldSupervisor first = start(config("shared"));
    MysqldException refused = assertThrows(MysqldException.class, () -> start(config("shared")));
    assertEquals(Reason.IN_USE, refused.reason());
    assertEquals(MysqldState.UP, first.state());
    assertEquals("1", query(first, "SELECT 1"));
  }

  @Test
  void aServerGoesWithItsParent() throws Exception {
    MysqldConfig config = config("orphan");
    Process parent = ParentProcess.launch(template, config);
    try {
      awaitAnswer(config);
      MysqldException refused = assertThrows(MysqldException.class, () -> start(config));
      assertEquals(Reason.IN_USE, refused.reason());
      assertFalse(servers(config).isEmpty());
      long killed = System.nanoTime();
      parent.destroyForcibly().waitFor();
      Eventually.await("end", () -> servers(config).isEmpty());
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - killed);
      System.out.println("server gone " + millis + " ms after its parent");
      assertTrue(millis < 5_000, "took " + millis + " ms");
    } finally {
      parent.destroyForcibly();
    }
    assertEquals("1", query(start(config), "SELECT 1"));
  }

  @Test
  void aLeftoverServerIsEndedAtTheNextStart() throws Exception {
    MysqldConfig config = config("leftover");
    Process parent = ParentProcess.launch(template, config);
    try {
      awaitAnswer(config);
      for (ProcessHandle process : servers(config)) {
        if (process.info().command().orElse("").endsWith("sh")) {
          process.destroyForcibly(); // the watcher: now nobody ends the server
        }
      }
      Eventually.await("watcher's end", () -> servers(config).size() == 1);
    } finally {
      parent.destroyForcibly().waitFor();
    }
    ProcessHandle leftover = servers(config).getFirst();
    awaitAnswer(config);
    assertTrue(leftover.isAlive());
    MysqldSupervisor supervisor = start(config);
    assertEquals(List.of(supervisor.pid().orElseThrow()), pidsOfServers(config));
    assertEquals("1", query(supervisor, "SELECT 1"));
  }

  private static void awaitAnswer(MysqldConfig config) throws Exception {
    InstanceFiles files = new InstanceFiles(config.directory());
    Eventually.await("answer", () -> MysqldProbe.answers(files.socket(), 100));
  }

  /** Servers and their watchers. */
  private static List<ProcessHandle> servers(MysqldConfig config) {
    return LeftoverMysqld.find(MysqldOptions.dataDirectory(new InstanceFiles(config.directory())));
  }

  private static List<Long> pidsOfServers(MysqldConfig config) {
    return servers(config).stream()
        .filter(process -> !process.info().command().orElse("").endsWith("sh"))
        .map(ProcessHandle::pid)
        .toList();
  }

  @Test
  void aServerThatHangsIsStartedAgain() throws Exception {
    List<String> events = Collections.synchronizedList(new ArrayList<>());
    MysqldSupervisor supervisor =
        start(config("hung"), recorder(events), hastyBounds(Duration.ofSeconds(1)));
    signal("STOP", supervisor.pid().orElseThrow());
    Eventually.await("restart", () -> events.size() >= 3);
    assertEquals(List.of("up", "down ended with code 137", "up"), events);
    assertEquals("1", query(supervisor, "SELECT 1"));
  }

  @Test
  void aServerThatDoesNotStopIsKilled() throws Exception {
    MysqldSupervisor supervisor =
        start(config("stuck"), MysqldListener.none(), hastyBounds(Duration.ofMinutes(1)));
    signal("STOP", supervisor.pid().orElseThrow());
    supervisor.stop();
    assertEquals(MysqldState.STOPPED, supervisor.state());
    Eventually.await("end", () -> servers(supervisor.instance().config()).isEmpty());
  }

  private static SupervisorBounds hastyBounds(Duration hungAfter) {
    return new SupervisorBounds(
        PATIENCE, Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofMillis(200), hungAfter);
  }

  private static void signal(String name, long pid) {
    assertEquals(
        0,
        CommandRun.of(List.of("/bin/kill", "-" + name, Long.toString(pid)), PATIENCE).exitCode());
  }

  @Test
  void aServerCanBeStoppedWhileItStarts() throws Exception {
    MysqldInstance instance = MysqldInstance.create(template, config("early"));
    MysqldSupervisor supervisor = new MysqldSupervisor(instance, MysqldListener.none());
    CompletableFuture<Void> starting =
        CompletableFuture.runAsync(supervisor::start, Thread::startVirtualThread);
    Eventually.await("launch", () -> supervisor.pid().isPresent());
    supervisor.stop();
    assertEquals(MysqldState.STOPPED, supervisor.state());
    ExecutionException failure = assertThrows(ExecutionException.class, starting::get);
    assertTrue(failure.getCause() instanceof MysqldException, String.valueOf(failure.getCause()));
    Eventually.await("end, and that of its watcher", () -> servers(instance.config()).isEmpty());
  }

  @Test
  void aTakenPortIsSaid() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      MysqldConfig config = config("port").withTcp(TcpEndpoint.loopback(taken.getLocalPort()));
      MysqldException failure = assertThrows(MysqldException.class, () -> start(config));
      assertEquals(Reason.PORT_TAKEN, failure.reason(), failure.sentence());
    }
  }

  @Test
  void aRefusedOptionIsSaid() {
    MysqldConfig config = config("option").withOption("no-such-option", "1");
    MysqldException failure = assertThrows(MysqldException.class, () -> start(config));
    assertEquals(Reason.BAD_OPTION, failure.reason(), failure.sentence());
    assertTrue(failure.sentence().contains("no-such-option"), failure.sentence());
  }

  @Test
  void aForeignServerOnTheDataDirectoryIsSaid() throws Exception {
    MysqldConfig config = config("locked");
    MysqldSupervisor owner = start(config);
    // A second name for the data: no argument shows it, only InnoDB's own lock does.
    Path alias = temporary.resolve("alias");
    Files.createDirectory(alias);
    Files.createSymbolicLink(alias.resolve("data"), config.directory().resolve("data"));
    MysqldException failure =
        assertThrows(MysqldException.class, () -> start(MysqldConfig.of(alias, 8)));
    assertEquals(Reason.DATA_DIRECTORY_LOCKED, failure.reason(), failure.sentence());
    assertEquals(MysqldState.UP, owner.state());
  }

  @Test
  void aLongDirectoryGetsAShortSocket() {
    MysqldSupervisor supervisor = start(config("x".repeat(110)));
    assertTrue(supervisor.socketPath().toString().length() <= InstanceFiles.LONGEST_SOCKET_PATH);
    assertEquals("1", query(supervisor, "SELECT 1"));
  }

  @Test
  void tcpIsServedWhenConfigured() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    MysqldSupervisor supervisor = start(config("tcp").withTcp(TcpEndpoint.loopback(port)));
    assertEquals(
        "alrai@%", RealServer.queryOverTcp(supervisor.instance(), port, "SELECT CURRENT_USER()"));
  }
}
