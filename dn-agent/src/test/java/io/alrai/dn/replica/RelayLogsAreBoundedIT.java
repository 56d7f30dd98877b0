package io.alrai.dn.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.dn.backend.Eventually;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.LogFiles;
import io.alrai.dn.group.MemoryGroup;
import io.alrai.dn.group.ReplicaFeeder;
import io.alrai.dn.link.Branch;
import io.alrai.dn.mysqld.MysqldConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A mysqld that applies slower than it is fed leaves the rest where it is. */
class RelayLogsAreBoundedIT {
  private static final int KEPT_BYTES = 200 << 20;
  private static final int ROWS = 64;

  /** Their transaction has to go through though it is longer than the bound. */
  private static final int LONG_ROWS = 40;

  private static final long LIMIT = 32 << 20;

  /** One relay log; one more may be begun than fit. */
  private static final long FILE = 17 << 20;

  @TempDir Path temporary;

  @Test
  void whatIsNotAppliedIsNotReceivedWithoutABound() throws Exception {
    MemoryGroup group = new MemoryGroup(1);
    try (ReplicaFeeder feeder =
            new ReplicaFeeder("dn-1", group, ReplicaServer.loop(), System::currentTimeMillis);
        ReplicaServer member =
            new ReplicaServer(temporary.resolve("b"), 2, RelayLogsAreBoundedIT::withLittleRoom)) {
      feeder.start();
      assertEquals(Long.toString(LIMIT), member.value("SELECT @@global.relay_log_space_limit"));
      List<BinlogTransaction> log = log();
      member.roles().follow(feeder.port(), ReplicaFeeder.USER, feeder.password());
      group.commit(log.subList(0, 3));
      member.roles().awaitApplied(group.all(), Duration.ofMinutes(1));
      Branch locking = member.connect();
      ReplicaServer.run(locking, "FLUSH TABLES WITH READ LOCK");
      group.commit(log.subList(3, log.size()));
      Eventually.await("its room is taken", () -> relayed(member) > LIMIT - FILE);
      TimeUnit.SECONDS.sleep(2);
      long taken = relayed(member);
      assertTrue(taken < LIMIT + FILE, () -> taken + " bytes of relay logs");
      ReplicaServer.run(locking, "UNLOCK TABLES");
      member.roles().awaitApplied(group.all(), Duration.ofMinutes(1));
      assertEquals(
          Integer.toString(ROWS + LONG_ROWS), member.value("SELECT COUNT(*) FROM f.large"));
      assertEquals("", member.roles().state().error());
    }
  }

  /** Twice the bound, and more. */
  private List<BinlogTransaction> log() throws Exception {
    try (ReplicaServer leader =
        new ReplicaServer(temporary.resolve("a"), 1, config -> config.withDurable(false))) {
      leader.query("CREATE DATABASE f;CREATE TABLE f.large (id INT PRIMARY KEY, b LONGBLOB)");
      Branch branch = leader.connect();
      for (int i = 0; i < ROWS; i++) {
        ReplicaServer.run(branch, "INSERT INTO f.large VALUES (" + i + ",REPEAT('x',1<<20))");
      }
      ReplicaServer.run(
          branch, "INSERT INTO f.large SELECT id+1000,b FROM f.large WHERE id<" + LONG_ROWS);
      leader.stop();
      return LogFiles.transactions(leader.dataDirectory(), KEPT_BYTES);
    }
  }

  private static MysqldConfig withLittleRoom(MysqldConfig config) {
    return config.withGroup().withOption("relay-log-space-limit", Long.toString(LIMIT));
  }

  private static long relayed(ReplicaServer member) {
    try (Stream<Path> files = Files.list(member.dataDirectory())) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("relay"))
          .mapToLong(file -> file.toFile().length())
          .sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
