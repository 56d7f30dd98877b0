package io.alrai.dn.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.dn.backend.Answer;
import io.alrai.dn.backend.Eventually;
import io.alrai.dn.binlog.LogFiles;
import io.alrai.dn.link.Branch;
import io.alrai.dn.replica.WaitingStatements.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A leader is killed and its binary log deleted before it starts again: what nobody had
 * acknowledged is gone, whatever kind of statement it was.
 */
@Timeout(value = 6, unit = TimeUnit.HOURS)
class DeletedLogsTakeWaitingStatementsAlongIT {
  private static final int GTID = 33;
  private static final int BATCHES = 3;

  @TempDir Path temporary;

  private static void setUp(ReplicaServer server, List<Waiting> statements) throws Exception {
    server.query("SET GLOBAL rpl_semi_sync_source_enabled=OFF;CREATE DATABASE f");
    for (Waiting one : statements) {
      server.query(one.setup());
    }
    server.query("SET GLOBAL rpl_semi_sync_source_enabled=ON");
  }

  private static long groups(ReplicaServer server) throws Exception {
    return LogFiles.types(server.dataDirectory()).stream().filter(type -> type == GTID).count();
  }

  /** Lets them wait for acknowledgements that do not come, kills, deletes the log, starts. */
  private static void loseAll(ReplicaServer server, List<Waiting> statements) throws Exception {
    List<Branch> branches = new ArrayList<>();
    for (Waiting one : statements) {
      Branch branch = server.connect();
      branches.add(branch);
      if (!one.prelude().isEmpty()) {
        ReplicaServer.run(branch, one.prelude());
      }
    }
    long before = groups(server);
    List<CompletableFuture<Answer>> answers = new ArrayList<>();
    for (int i = 0; i < statements.size(); i++) {
      String sql = statements.get(i).statement();
      answers.add(ReplicaServer.send(branches.get(i), sql));
      long wanted = before + i + 1;
      Eventually.await("the group of " + sql, () -> groups(server) == wanted);
    }
    for (int i = 0; i < answers.size(); i++) {
      assertFalse(answers.get(i).isDone(), statements.get(i) + " did not wait");
    }
    server.kill();
    server.deleteBinlog();
    server.start(ReplicaServer.leading());
  }

  @Test
  void nothingIsLeftOfWhatInnodbKeeps() throws Exception {
    List<Waiting> plain = new ArrayList<>(WaitingStatements.transactional());
    List<Waiting> accounts = new ArrayList<>(WaitingStatements.ofAccounts());
    Random random = new Random(Facts.SEED);
    Collections.shuffle(plain, random);
    Collections.shuffle(accounts, random);
    List<List<Waiting>> batches = new ArrayList<>();
    if (Facts.ALL) {
      plain.forEach(one -> batches.add(List.of(one)));
      accounts.forEach(one -> batches.add(List.of(one)));
    } else {
      int size = (plain.size() + BATCHES - 1) / BATCHES;
      for (int i = 0; i < BATCHES; i++) {
        List<Waiting> batch =
            new ArrayList<>(plain.subList(i * size, Math.min(plain.size(), (i + 1) * size)));
        batch.add(accounts.get(i)); // the last, as nothing gets past it
        batches.add(batch);
      }
    }
    List<Waiting> all = new ArrayList<>(plain);
    all.addAll(accounts);
    try (ReplicaServer server =
        new ReplicaServer(temporary.resolve("leader"), 1, ReplicaServer.leading())) {
      setUp(server, all);
      Map<String, List<String>> before = ServerState.of(server);
      for (List<Waiting> batch : batches) {
        loseAll(server, batch);
        Map<String, List<String>> after = ServerState.of(server);
        assertEquals(List.of(), differences(before, after), "after " + batch);
      }
    }
    Facts.print(
        "%d statements that waited, %d kills, nothing left of them",
        batches.stream().mapToInt(List::size).sum(), batches.size());
  }

  private static List<String> differences(
      Map<String, List<String>> before, Map<String, List<String>> after) {
    Map<String, List<String>> all = new TreeMap<>(before);
    all.putAll(after);
    List<String> different = new ArrayList<>();
    for (String key : all.keySet()) {
      if (!before.getOrDefault(key, List.of()).equals(after.getOrDefault(key, List.of()))) {
        different.add(key + ": " + before.get(key) + " -> " + after.get(key));
      }
    }
    return different;
  }

  /**
   * Why groups have no other engine, and what OPTIMIZE does before it waits. GTIDs of what MyISAM
   * did are in the log only, those of acknowledged statements, too.
   */
  @Test
  void whatOtherEnginesWroteStays() throws Exception {
    try (ReplicaServer server =
        new ReplicaServer(temporary.resolve("leader"), 1, ReplicaServer.leading())) {
      List<Waiting> statements = WaitingStatements.others();
      setUp(server, statements);
      Map<String, List<String>> before = ServerState.of(server);
      loseAll(server, statements);
      Map<String, List<String>> after = ServerState.of(server);
      // 1 made the database, 2 and 3 the first table; then two for each table
      String had = server.uuid() + ":1-15";
      assertEquals("[" + had + "]", before.get("executed").getFirst());
      assertEquals("[" + server.uuid() + ":1-5:8-9:12-13]", after.get("executed").getFirst());
      // OPTIMIZE: the same rows under another number
      assertEquals(before.get("table f.s90"), after.get("table f.s90"));
      assertNotEquals(
          tableId(before, "f/s90"), tableId(after, "f/s90"), "OPTIMIZE was not rolled back before");
      String checked = server.query("CHECK TABLE f.s91_m").toString();
      assertTrue(checked.contains("Corrupt"), checked);
      assertTrue(after.get("table f.s92_m").toString().contains("ENGINE=InnoDB"));
      assertTrue(after.containsKey("table f.s93"), "an InnoDB table that is dropped is back");
      assertFalse(after.containsKey("table f.s93_m"), "a MyISAM table that is dropped is gone");
    }
  }

  private static String tableId(Map<String, List<String>> state, String table) {
    return state.get("table ids").stream()
        .filter(row -> row.startsWith("[" + table + ","))
        .findFirst()
        .orElseThrow();
  }

  /** Directories of many servers would fill the disk. */
  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** Without anybody to wait for: the engine has a prefix of the log, or nearly. */
  @Test
  void aLeaderUnderLoadKeepsAPrefix() throws Exception {
    Random random = new Random(Facts.SEED);
    int most = 0;
    int groups = 0;
    for (int kill = 0; kill < Facts.KILLS; kill++) {
      Path directory = temporary.resolve("loaded-" + kill);
      try (ReplicaServer server = new ReplicaServer(directory, 1, config -> config);
          XaLoad load = new XaLoad(server)) {
        load.start(Facts.SEED + kill);
        TimeUnit.MILLISECONDS.sleep(random.nextInt(500, 2_000));
        load.expectEnd();
        server.kill();
        Path log = Files.createDirectory(directory.resolve("log"));
        for (Path file : LogFiles.in(server.dataDirectory())) {
          Files.copy(file, log.resolve(file.getFileName()));
        }
        server.deleteBinlog();
        server.start(config -> config);
        most = Math.max(most, load.assertPrefix(log, server));
        groups += LogFiles.kinds(log).size();
      }
      delete(directory);
    }
    Facts.print(
        "leader under load: %d kills, %d groups, at most %d of them not in the engine",
        Facts.KILLS, groups, most);
  }
}
