package io.alrai.dn.role;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.dn.backend.Eventually;
import io.alrai.dn.raft.LogBounds;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members that get their rows from another one's mysqld. */
class RebuiltMembersIT {
  private static final String EXECUTED = "SELECT @@global.gtid_executed";
  private static final String SUM = "CHECKSUM TABLE d.t";

  private static final String UUID = "SELECT @@server_uuid";

  /** The file of the log that begins with its first entry. */
  private static final Pattern FIRST = Pattern.compile("log_0-\\d+|log_inprogress_0");

  private static final String UNSEEN = "its mysqld starts";

  /** So that the log forgets soon. */
  private static final LogBounds SMALL = new LogBounds(64 << 10, 8, 64 << 10);

  @TempDir Path directory;
  private AgentGroup group;

  @BeforeEach
  void begin() throws Exception {
    group = new AgentGroup(directory, SMALL).startLogger().start("a");
    group.run("CREATE DATABASE d");
    group.run("CREATE TABLE d.t (a INT PRIMARY KEY, b LONGBLOB)");
    assertFalse(group.hasLog("b"));
    group.start("b");
    assertTrue(group.hasLog("b"));
  }

  @AfterEach
  void end() {
    group.close();
  }

  private void write(int from, int to) throws Exception {
    for (int i = from; i < to; i++) {
      group.run("INSERT INTO d.t VALUES (" + i + ",REPEAT('y',9000))");
    }
  }

  private String seen(String member, String query) {
    try {
      return group.past(member, query).toString();
    } catch (Exception e) {
      return UNSEEN;
    }
  }

  private void await(String what, Eventually.Condition condition) throws Exception {
    try {
      Eventually.await(what, condition);
    } catch (AssertionError late) {
      throw new AssertionError(what + ": " + group.agent("b").status(), late);
    }
  }

  private void awaitEqual() throws Exception {
    for (String query : List.of(SUM, EXECUTED, "XA RECOVER")) {
      await(query, () -> seen("b", query).equals(seen("a", query)));
    }
  }

  @Test
  void oneThatHasWhatTheGroupHasNotIsRebuiltWhenItIsAskedFor() throws Exception {
    write(0, 5);
    String uuid = seen("b", UUID);
    group.run("XA START 'x';INSERT INTO d.t VALUES (100,'x');XA END 'x';XA PREPARE 'x'");
    awaitEqual();
    group.past(
        "b",
        "SET GLOBAL super_read_only=OFF;SET GLOBAL read_only=OFF;INSERT INTO d.t VALUES (7,'x');"
            + "SET GLOBAL super_read_only=ON");
    assertNotEquals(seen("a", SUM), seen("b", SUM));
    AlraiException refused =
        assertThrows(AlraiException.class, () -> group.agent("a").rebuild(true));
    assertEquals("a leads its group: let another one lead first", refused.sentence());
    group.agent("b").rebuild(true);
    write(5, 9);
    await("another mysqld at b", () -> !List.of(uuid, UNSEEN).contains(seen("b", UUID)));
    awaitEqual();
    group.run("XA COMMIT 'x'");
    awaitEqual();
  }

  private int writeUntilTheLogForgets() throws Exception {
    int written = 0;
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!forgets("b")) {
      assertTrue(System.nanoTime() < end, "the log keeps its first entry");
      write(written, ++written);
    }
    return written;
  }

  private boolean forgets(String member) throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve(member + "-log"))) {
      return files.noneMatch(file -> FIRST.matcher(file.getFileName().toString()).matches());
    } catch (UncheckedIOException changing) {
      return false; // a file went while the directory was read
    }
  }

  /** Its mysqld may still run, and delete files, too. */
  private static void delete(File file) {
    File[] inside = file.listFiles();
    if (inside != null) {
      Stream.of(inside).forEach(RebuiltMembersIT::delete);
    }
    file.delete();
  }

  @Test
  void oneWithoutDataGetsItWhoeverIsLostMeanwhile() throws Exception {
    group.run("XA START 'x';INSERT INTO d.t VALUES (-1,'x');XA END 'x';XA PREPARE 'x'");
    int written = writeUntilTheLogForgets();
    group.loseNextDonor();
    Path lost = group.dataDirectory("b").resolveSibling("lost");
    Files.move(group.dataDirectory("b"), lost); // all at once, as its mysqld writes meanwhile
    group.agent("b").supervisor().crash();
    delete(lost.toFile());
    await("a donor is lost", group::donorIsLost);
    await(
        "b says that nobody has rows",
        () ->
            group.agent("b").role() == Role.REBUILDING
                && group.agent("b").status().error().contains("no other member has rows"));
    write(written, written + 5);
    group.serve("a");
    awaitEqual();
    group.run("XA COMMIT 'x'");
    awaitEqual();
    assertEquals(
        List.of(List.of(Integer.toString(written + 6))), group.run("SELECT COUNT(*) FROM d.t"));
    group.agent("a").handOver("b").get(20, TimeUnit.SECONDS);
    group.awaitLeader("b");
    write(written + 5, written + 6);
    awaitEqual();
  }
}
