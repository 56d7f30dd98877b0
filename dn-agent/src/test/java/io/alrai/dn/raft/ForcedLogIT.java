package io.alrai.dn.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.dn.backend.Eventually;
import io.alrai.dn.raft.ForcedLog.Step;
import io.alrai.dn.raft.GroupMember.Keeps;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One member of a group becomes the group, with real logs over sockets. */
class ForcedLogIT {
  private static final String NOTE = "forced on a day of the test";

  @TempDir Path directory;

  private static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Writes numbered entries as whoever leads; those are committed. */
  private static List<String> write(LogGroup group, String name, int from, int count)
      throws Exception {
    List<String> written = new ArrayList<>();
    for (int i = from; i < from + count; i++) {
      group.append(name, bytes("e" + i)).get(20, TimeUnit.SECONDS);
      written.add("e" + i);
    }
    return written;
  }

  /** The command dies after each of its steps; the next start is of one of both generations. */
  @Test
  void dyingAfterAnyStepLeavesEitherGeneration() throws Exception {
    try (LogGroup group = new LogGroup(directory, LogBounds.standard()).start("a", "b", "l")) {
      String leader = group.leader();
      List<String> written = write(group, leader, 0, 5);
      LastEntry last = group.log(leader).last();
      String other = leader.equals("a") ? "b" : "a";
      Eventually.await("the other has it", () -> group.log(other).last().equals(last));
      assertEquals(last, group.log(leader).last(other));
      group.stop("l");
      group.stop(leader);
      group.stop(other);
      forceWithCrashes(group.config(other));
      group.start(other);
      assertEquals(1, group.log(other).generation());
      Eventually.await("it leads alone", () -> group.heard(other).leads);
      assertTrue(group.term(other) > 1L << 32, () -> "term " + group.term(other));
      written.addAll(write(group, other, 5, 1));
      assertEquals(written, group.heard(other).committed);
      assertEquals(List.of(other), names(group.log(other)));
      assertEquals(NOTE, ForcedLog.note(group.config(other).of(1)).orElseThrow());

      // done already
      ForcedLog.make(group.config(other), 1, NOTE, done -> {});

      // the others come back, lead one another, and are not heard
      group.start(leader, "l");
      Eventually.await("the others lead", () -> group.heard(leader).leads);
      assertTrue(group.term(leader) < 1L << 32);
      written.addAll(write(group, other, 6, 1));
      assertTrue(group.log(other).leads());

      // who hears of it votes no more, nor at its next start
      group.log(leader).supersede("dn-1 was made anew");
      Eventually.await("it was dropped", () -> group.heard(leader).dropped);
      assertTrue(GroupLog.isDropped(group.config(leader)));
      group.stop(leader);
      assertThrows(RuntimeException.class, () -> group.start(leader));
      group.stop("l");

      // a new member is of the generation, and has all of the log
      GroupMember joiner = group.join("c", Keeps.ROWS, 1);
      group.log(other).addMember(joiner).get(30, TimeUnit.SECONDS);
      Eventually.await("it has all", () -> group.heard("c").committed.equals(written));
      assertEquals(List.of("c", other).stream().sorted().toList(), names(group.log(other)));
    }
  }

  private static void forceWithCrashes(GroupConfig config) {
    for (Step step : Step.values()) {
      assertThrows(
          Crash.class,
          () ->
              ForcedLog.make(
                  config,
                  1,
                  NOTE,
                  done -> {
                    if (done == step) {
                      throw new Crash();
                    }
                  }));
      assertEquals(step == Step.RENAMED ? 1 : 0, GroupLog.generation(config).orElseThrow());
    }
  }

  /** What does not run any more is aside, where nobody starts it. */
  @Test
  void theLogBeforeIsPutAside() throws Exception {
    try (LogGroup group = LogGroup.withOneOfRows(directory).start("a", "b", "l")) {
      write(group, group.leader(), 0, 1);
      for (String name : List.of("a", "b", "l")) {
        group.stop(name);
      }
      ForcedLog.make(group.config("a"), 1, NOTE, done -> {});
      group.start("a");
      Eventually.await("it leads alone", () -> group.heard("a").leads);
      try (Stream<Path> entries = Files.list(directory.resolve("a"))) {
        List<String> names = entries.map(entry -> entry.getFileName().toString()).toList();
        assertTrue(names.contains("generation-0"), names::toString);
        assertFalse(names.contains("forced"), names::toString);
      }
    }
  }

  private static List<String> names(GroupLog log) {
    return log.members().stream().map(GroupMember::name).toList();
  }
}
