package io.alrai.e2e.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Counts what agents log of their roles, over all of their starts: how often leaders changed, and
 * how members came back. Reads by a thread of its own; thread-safe.
 */
final class RoleChanges implements AutoCloseable {
  private static final Pattern CHANGE =
      Pattern.compile(".* - (dn-\\d+-\\w+): (\\w+) -> (\\w+) \\((.*)\\)");
  private static final Pattern LOG = Pattern.compile("dn-\\d+-\\w+\\.log");
  private static final Set<String> LEADS = Set.of("LEADING", "HANDING_OVER");
  private static final int LOOK_MILLIS = 100;
  private static final int BUFFER = 1 << 16;

  /** Within this time a former leader should follow again. */
  private static final long SOON_NANOS = TimeUnit.SECONDS.toNanos(10);

  /**
   * A member that is not back.
   *
   * @param led whether it led before
   */
  private record Away(long sinceNanos, boolean led) {}

  /** Members that came back. */
  private static final class Returns {
    private int count;
    private int late;
    private long slowestNanos;

    void add(long nanos) {
      count++;
      late += nanos > SOON_NANOS ? 1 : 0;
      slowestNanos = Math.max(slowestNanos, nanos);
    }

    @Override
    public String toString() {
      return "%d, %d of them after more than %d s, the slowest %.1f s"
          .formatted(count, late, TimeUnit.NANOSECONDS.toSeconds(SOON_NANOS), slowestNanos / 1e9);
    }
  }

  private final Path logs;
  private final Thread reader;
  private final Map<Path, LogTail> tails = new HashMap<>(); // the reader's
  private volatile boolean over;

  // Guarded by this:
  private final Map<String, String> roles = new HashMap<>();
  private final Map<String, Away> away = new HashMap<>();
  private final Map<String, Integer> clones = new TreeMap<>();
  private final Returns leaders = new Returns();
  private final Returns others = new Returns();
  private int leads;

  /** Those of the cluster in this directory from now on. */
  RoleChanges(Path directory) {
    this.logs = directory.resolve("log");
    this.reader = Thread.ofPlatform().daemon().name("role-changes").start(this::read);
  }

  /** A process is gone: an agent, {@code mysqld of} one, or another one. */
  synchronized void killed(String name) {
    String member = name.substring(name.lastIndexOf(' ') + 1);
    if (member.startsWith("dn-")) {
      leaves(member, System.nanoTime());
    }
  }

  private void leaves(String member, long now) {
    Away before = away.get(member);
    boolean led = LEADS.contains(roles.getOrDefault(member, "")) || before != null && before.led;
    away.put(member, new Away(now, led));
  }

  private void read() {
    try {
      while (!over) {
        try (Stream<Path> files = Files.list(logs)) {
          files
              .filter(file -> LOG.matcher(file.getFileName().toString()).matches())
              .forEach(this::look);
        } catch (IOException | UncheckedIOException e) {
          // a file has just got another name: the next look finds it
        }
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A process that starts again begins a new file; the old one has the end of its life. */
  private void look(Path file) {
    try {
      Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
      LogTail tail = tails.get(file);
      if (tail != null && !tail.key.equals(key)) {
        tail.lines().forEach(this::line);
        tail.channel.close();
        tail = null;
      }
      if (tail == null) {
        tail = new LogTail(FileChannel.open(file), key);
        tails.put(file, tail);
      }
      tail.lines().forEach(this::line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private synchronized void line(String line) {
    Matcher change = CHANGE.matcher(line);
    if (!change.matches()) {
      return;
    }
    long now = System.nanoTime();
    String member = change.group(1);
    String to = change.group(3);
    switch (to) {
      case "STARTING", "DEMOTING" -> {
        if (!away.containsKey(member)) {
          leaves(member, now);
        }
      }
      case "FOLLOWING" -> {
        Away left = away.remove(member);
        if (left != null) {
          (left.led ? leaders : others).add(now - left.sinceNanos);
        }
      }
      case "REBUILDING" -> clones.merge(change.group(4).replaceAll("\\d+", "N"), 1, Integer::sum);
      case "LEADING" -> leads += change.group(2).equals("PROMOTING") ? 1 : 0;
      default -> {}
    }
    roles.put(member, to);
  }

  /** How often a member began to lead. */
  synchronized int leads() {
    return leads;
  }

  /** All counts, in lines. */
  synchronized String text() {
    return "%d leads; leaders that followed again: %s; others: %s;%nclones begun: %s"
        .formatted(leads, leaders, others, clones);
  }

  @Override
  public void close() throws IOException {
    over = true;
    try {
      reader.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (LogTail tail : tails.values()) {
      tail.channel.close();
    }
  }

  /** A file that is being written. */
  private static final class LogTail {
    private final FileChannel channel;
    private final Object key;
    private final StringBuilder begun = new StringBuilder();

    LogTail(FileChannel channel, Object key) {
      this.channel = channel;
      this.key = key;
    }

    /** Whole lines that have come since. */
    List<String> lines() throws IOException {
      ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
      while (channel.read(buffer) > 0) {
        begun.append(StandardCharsets.ISO_8859_1.decode(buffer.flip()));
        buffer.clear();
      }
      int end = begun.lastIndexOf("\n") + 1;
      List<String> whole = begun.substring(0, end).lines().toList();
      begun.delete(0, end);
      return whole;
    }
  }
}
