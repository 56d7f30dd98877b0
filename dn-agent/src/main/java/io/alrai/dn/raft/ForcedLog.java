package io.alrai.dn.raft;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.file.DurableFiles;
import io.alrai.common.file.Trees;
import io.alrai.common.thread.Pause;
import io.alrai.raft.GenerationLogs;
import io.alrai.raft.LogSegments;
import io.alrai.raft.LoneLog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.ratis.server.raftlog.segmented.LogSegmentPath;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the log of a member that does not run one of the next generation, g, in which it is alone.
 * It is made beside, run once, and gets its name then:
 *
 * <pre>
 * 1. forced/ID-g     all files of the log of the generation before: those that are full are linked,
 *                    as nobody writes to them any more, the others copied
 * 2. forced/ID-g     a term above all of that generation, this member alone after the last entry
 * 3. forced/ID-g     run without a port: all was read, and it was elected
 * 4. ID-g            renamed: from here on the member is of generation g
 * </pre>
 *
 * <p>A crash before the last step leaves the member as it was, and what is in {@code forced} is
 * made anew; after it the member is what it was to become. One thread; blocking.
 */
public final class ForcedLog {
  private static final Logger log = LoggerFactory.getLogger(ForcedLog.class);
  private static final String NOTE = "forced";
  private static final Duration READING = Duration.ofMinutes(5);
  private static final long PAUSE_MILLIS = 20;

  /** What is written, in this order; a test ends after each. */
  public enum Step {
    COPIED,
    ALONE,
    RUN,
    RENAMED
  }

  /** Learns what has been done. */
  public interface Steps {
    void done(Step step);
  }

  private ForcedLog() {}

  /**
   * Does it; nothing where it is done.
   *
   * @param note says to people who was forced, when, and after which entry
   * @throws AlraiException ALRAI_NODE_UNAVAILABLE where there is no log of the generation before,
   *     or that cannot be read: then nothing has changed
   * @throws IOException also where the disk is full: then, too
   */
  public static void make(GroupConfig config, long generation, String note, Steps steps)
      throws IOException {
    GenerationLogs logs = config.logs();
    long before = GroupLog.generation(config).orElse(-1);
    if (before >= generation) {
      return;
    }
    if (before < 0) {
      throw refusal(config.name() + " has no log in " + config.directory());
    }
    Path from = logs.log(before);
    Path copy = new GenerationLogs(logs.ids(), logs.forced()).log(generation);
    Trees.delete(logs.forced());
    Files.createDirectories(logs.forced());
    copy(from, copy);
    steps.done(Step.COPIED);
    LoneLog.make(copy, Membership.peer(config.own()), generation, lastIndex(copy));
    steps.done(Step.ALONE);
    run(config.apart(logs.forced(), generation));
    Files.writeString(copy.resolve(NOTE), note + "\n");
    Trees.forceAll(copy); // before it gets its name
    DurableFiles.force(logs.forced());
    steps.done(Step.RUN);
    Files.move(copy, logs.log(generation), StandardCopyOption.ATOMIC_MOVE);
    DurableFiles.force(config.directory());
    steps.done(Step.RENAMED);
    Trees.delete(logs.forced());
    log.warn("{} is the group of {} now: {}", config.name(), config.group(), note);
  }

  /** What {@link #make} has noted of the log that is there; empty where it was not made so. */
  static Optional<String> note(GroupConfig config) {
    Path file = config.logs().log(config.generation()).resolve(NOTE);
    try {
      return Files.exists(file)
          ? Optional.of(Files.readString(file, StandardCharsets.UTF_8).strip())
          : Optional.empty();
    } catch (IOException e) {
      log.warn("{}: {} cannot be read: {}", config.name(), file, e.toString());
      return Optional.of("forced, and it cannot be read after which entry");
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> entries = Files.walk(from)) {
      for (Path entry : entries.toList()) {
        Path target = to.resolve(from.relativize(entry));
        String name = String.valueOf(entry.getFileName());
        if (Files.isDirectory(entry)) {
          Files.createDirectory(target);
        } else if (LogFiles.isClosed(name)) {
          link(entry, target);
        } else if (!name.equals("in_use.lock") && !name.equals(NOTE)) {
          Files.copy(entry, target);
        }
      }
    }
  }

  private static void link(Path from, Path to) throws IOException {
    try {
      Files.createLink(to, from);
    } catch (UnsupportedOperationException | FileSystemException noLinks) {
      Files.copy(from, to);
    }
  }

  /** Of what was skipped there is no entry. */
  private static long lastIndex(Path copy) throws IOException {
    long[] last = {-1};
    LogFiles.closed(copy).forEach(file -> last[0] = Math.max(last[0], file.last()));
    for (LogSegmentPath segment : LogSegments.of(copy)) {
      if (!LogFiles.isClosed(String.valueOf(segment.getPath().getFileName()))) {
        LogSegments.read(segment, entry -> last[0] = Math.max(last[0], entry.getIndex()));
      }
    }
    Path snapshots = copy.resolve("sm");
    if (Files.isDirectory(snapshots)) {
      try (Stream<Path> files = Files.list(snapshots)) {
        files
            .map(file -> String.valueOf(file.getFileName()))
            .filter(name -> name.matches("snapshot\\.\\d+_\\d+"))
            .mapToLong(name -> Long.parseLong(name.substring(name.indexOf('_') + 1)))
            .forEach(index -> last[0] = Math.max(last[0], index));
      }
    }
    return last[0];
  }

  private static void run(GroupConfig apart) {
    try (GroupLog alone =
        GroupLog.start(
            apart,
            new DeafEvents(reason -> log.error("the copy of a log cannot be written", reason)))) {
      for (int look = 0; !alone.leads(); look++) {
        if (look * PAUSE_MILLIS > READING.toMillis()) {
          throw refusal(
              "the copy of the log of "
                  + apart.name()
                  + " was not read within "
                  + READING.toMinutes()
                  + " minutes: nothing has been changed");
        }
        Pause.ofMillis(PAUSE_MILLIS);
      }
    }
  }

  private static AlraiException refusal(String sentence) {
    return new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, sentence);
  }
}
