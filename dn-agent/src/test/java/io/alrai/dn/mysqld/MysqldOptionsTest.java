package io.alrai.dn.mysqld;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class MysqldOptionsTest {
  private static List<String> render(MysqldConfig config) {
    return MysqldOptions.render(config, new InstanceFiles(config.directory()));
  }

  @Test
  void byDefaultItIsDurableAndOnASocketOnly() {
    List<String> options = render(MysqldConfig.of(Path.of("/d"), 5));
    assertTrue(options.contains("--datadir=/d/data"));
    assertTrue(options.contains("--socket=/d/mysqld.sock"));
    assertTrue(options.contains("--server-id=5"));
    assertTrue(options.contains("--skip-networking"));
    assertTrue(options.contains("--partial-revokes=ON"));
    assertTrue(options.contains("--binlog-expire-logs-auto-purge=OFF"));
    assertTrue(options.contains("--binlog-expire-logs-seconds=0"));
    assertTrue(options.contains("--sync-binlog=1"));
    assertTrue(options.contains("--innodb-flush-log-at-trx-commit=1"));
    assertTrue(options.contains("--performance-schema-instrument=transaction=ON"));
    assertTrue(options.contains("--loose-performance-schema-digests-size=0"));
    assertTrue(options.contains("--innodb-buffer-pool-size=" + (256 << 20)));
    assertTrue(options.stream().noneMatch(option -> option.startsWith("--port")));
  }

  @Test
  void whatIsConfiguredIsRendered() {
    List<String> options =
        render(
            MysqldConfig.of(Path.of("/d"), 5)
                .withTcp(TcpEndpoint.loopback(3307))
                .withMemory(new MysqldMemory(1 << 26, 1 << 25, 77))
                .withDurable(false));
    assertFalse(options.contains("--skip-networking"));
    assertTrue(options.contains("--bind-address=127.0.0.1"));
    assertTrue(options.contains("--port=3307"));
    assertTrue(options.contains("--innodb-buffer-pool-size=67108864"));
    assertTrue(options.contains("--innodb-redo-log-capacity=33554432"));
    assertTrue(options.contains("--max-connections=77"));
    assertTrue(options.contains("--sync-binlog=0"));
    assertTrue(options.contains("--innodb-flush-log-at-trx-commit=2"));
  }

  /** What is said last counts. */
  private static String value(List<String> options, String name) {
    String prefix = "--" + name + "=";
    return options.stream()
        .filter(option -> option.startsWith(prefix))
        .reduce("", (_, last) -> last.substring(prefix.length()));
  }

  @Test
  void aMemberOfAGroupBeginsAsAReplica() {
    MysqldConfig config = MysqldConfig.of(Path.of("/d"), 5).withGroup();
    List<String> options = render(config);
    assertTrue(config.group());
    assertTrue(config.semiSync());
    assertEquals("OFF", value(options, "rpl-semi-sync-source-enabled"));
    assertEquals("AFTER_SYNC", value(options, "rpl-semi-sync-source-wait-point"));
    assertEquals("ON", value(options, "rpl-semi-sync-source-wait-no-replica"));
    assertEquals("ON", value(options, "super-read-only"));
    assertEquals("ON", value(options, "skip-replica-start"));
    assertEquals("ON", value(options, "log-replica-updates"));
    assertEquals("ON", value(options, "replicate-same-server-id"));
    assertEquals("ON", value(options, "relay-log-recovery"));
    assertEquals("0", value(options, "sync-binlog"));
    assertEquals("2", value(options, "innodb-flush-log-at-trx-commit"));
    assertEquals("READ-COMMITTED", value(options, "transaction-isolation"));
    assertThrows(
        IllegalArgumentException.class, () -> config.withOption("replica_skip_errors", "all"));
    assertThrows(IllegalArgumentException.class, () -> config.withOption("read_only", "OFF"));
    assertTrue(AccountStatements.render("p", "c", false, true).contains("RELOAD"));
  }

  @Test
  void whoIsAloneKnowsNothingOfReplicas() {
    List<String> options = render(MysqldConfig.of(Path.of("/d"), 5).withSemiSync());
    assertEquals("ON", value(options, "rpl-semi-sync-source-enabled"));
    assertEquals("1", value(options, "sync-binlog"));
    assertEquals("REPEATABLE-READ", value(options, "transaction-isolation"));
    for (String of : List.of("super-read", "skip-replica", "log-replica", "relay")) {
      assertTrue(options.stream().noneMatch(option -> option.startsWith("--" + of)), of);
    }
    assertFalse(AccountStatements.render("p", "c", false, false).contains("RELOAD"));
  }

  @Test
  void furtherOptionsComeLastSoThatTheyWin() {
    List<String> options =
        render(
            MysqldConfig.of(Path.of("/d"), 5)
                .withOption("max-allowed-packet", "1G")
                .withOption("general-log", "ON"));
    int size = options.size();
    assertEquals(
        List.of("--general-log=ON", "--max-allowed-packet=1G"), options.subList(size - 2, size));
    assertTrue(options.indexOf("--max-allowed-packet=64M") < size - 2);
  }

  @Test
  void aConfigIsAValue() {
    MysqldConfig config = MysqldConfig.of(Path.of("/d"), 5).withOption("a", "1");
    config.options().put("b", "2");
    assertEquals(MysqldConfig.of(Path.of("/d/../d"), 5).withOption("a", "1"), config);
    assertThrows(IllegalArgumentException.class, () -> MysqldConfig.of(Path.of("/d"), 0));
    assertThrows(IllegalArgumentException.class, () -> TcpEndpoint.loopback(65_536));
  }

  @Test
  void socketPathsStayWithinTheKernelsBound() {
    int fixed = "/mysqld.sock".length() + 1;
    for (int length = 90; length < 112; length++) {
      Path directory = Path.of("/" + "x".repeat(length - fixed));
      Path socket = new InstanceFiles(directory).socket();
      boolean fits = length <= InstanceFiles.LONGEST_SOCKET_PATH;
      assertEquals(fits, socket.startsWith(directory), socket.toString());
      assertTrue(bytes(socket) <= InstanceFiles.LONGEST_SOCKET_PATH, socket.toString());
    }
  }

  @Test
  void socketPathsAreMeasuredInBytes() {
    Path directory = Path.of("/" + "\u00fc".repeat(60));
    assertTrue(new InstanceFiles(directory).socket().startsWith("/tmp"));
  }

  @Test
  void shortSocketsOfDifferentDirectoriesDiffer() {
    Path one = new InstanceFiles(Path.of("/" + "x".repeat(200) + "/dn1")).socket();
    Path two = new InstanceFiles(Path.of("/" + "x".repeat(200) + "/dn2")).socket();
    assertFalse(one.equals(two));
  }

  private static int bytes(Path path) {
    return path.toString().getBytes(StandardCharsets.UTF_8).length;
  }

  @Test
  void accountsOverTcpAreLockedUnlessConfigured() {
    String local = AccountStatements.render("secret", "c", false, false);
    String tcp = AccountStatements.render("secret", "c", true, false);
    assertTrue(local.startsWith("SET sql_log_bin = 0;"));
    assertTrue(local.contains("ALTER USER 'alrai'@'%' ACCOUNT LOCK;"));
    assertFalse(tcp.contains("ALTER USER 'alrai'@'%' ACCOUNT LOCK;"));
    assertTrue(
        tcp.contains(
            "ALTER USER 'alrai'@'%' IDENTIFIED BY 'secret' PASSWORD EXPIRE NEVER ACCOUNT UNLOCK;"),
        tcp);
    assertFalse(local.contains("GRANT ALL ON *.* TO 'alrai_meta'"));
  }

  @Test
  void memoryIsShared() {
    long gib = 1L << 30;
    assertEquals(1024L << 20, MysqldMemory.share(64 * gib, 2).bufferPoolBytes());
    assertEquals(512L << 20, MysqldMemory.share(64 * gib, 2).redoLogBytes());
    assertEquals(512L << 20, MysqldMemory.share(8 * gib, 2).bufferPoolBytes());
    assertEquals(128L << 20, MysqldMemory.share(2 * gib, 2).bufferPoolBytes());
    assertEquals(64L << 20, MysqldMemory.share(gib, 8).bufferPoolBytes());
    assertEquals(64L << 20, MysqldMemory.share(gib, 0).redoLogBytes() / 2);
    assertTrue(MysqldMemory.shareOfThisMachine(1).bufferPoolBytes() >= 64L << 20);
  }

  /**
   * A mysqld that takes part in commits has the log, the order and the durability that they need.
   */
  @Test
  void whatCommitsDependOnIsNotToBeChosen() {
    MysqldConfig node = MysqldConfig.of(Path.of("/d"), 5).withSemiSync();
    for (String option :
        List.of(
            "binlog-order-commits",
            "binlog_order_commits",
            "innodb-rollback-on-timeout",
            "binlog-format",
            "sync_binlog",
            "skip-log-bin",
            "loose-gtid-mode",
            "disable_log_bin",
            "skip-grant-tables",
            "skip-replica-start",
            "relay_log_recovery",
            "completion_type")) {
      assertThrows(IllegalArgumentException.class, () -> node.withOption(option, "0"), option);
      MysqldConfig before = MysqldConfig.of(Path.of("/d"), 5).withOption(option, "0");
      assertThrows(IllegalArgumentException.class, before::withSemiSync, option);
    }
    node.withOption("long-query-time", "1");
  }
}
