package io.alrai.dn.raft;

import io.alrai.common.net.ListenPorts;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.dn.backend.Eventually;
import io.alrai.dn.raft.GroupMember.Keeps;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** A group in one process, over sockets: two members with rows, one with the log alone. */
final class LogGroup implements AutoCloseable {
  private static final Duration ELECTION_MIN = Duration.ofMillis(1_500);
  private static final Duration ELECTION_MAX = Duration.ofMillis(3_000);

  private static final Optional<ClusterSecret> SECRET =
      Optional.of(new ClusterSecret("a secret of the test's own, 32 bytes and more"));

  private final Path directory;
  private final LogBounds bounds;
  private final List<GroupMember> members = new ArrayList<>();
  private final Map<String, GroupLog> running = new HashMap<>();
  private final Map<String, Heard> heard = new HashMap<>();

  /** What a member has heard since its start. */
  static final class Heard implements GroupEvents {
    final List<String> committed = new CopyOnWriteArrayList<>();
    final List<Long> terms = new CopyOnWriteArrayList<>();
    final List<Throwable> failures = new CopyOnWriteArrayList<>();
    volatile boolean leads;

    @Override
    public void committed(long term, long index, ByteBuffer entry) {
      committed.add(StandardCharsets.UTF_8.decode(entry).toString());
    }

    @Override
    public void leads(long term) {
      terms.add(term);
      leads = true;
    }

    @Override
    public void follows() {
      leads = false;
    }

    @Override
    public void failed(Throwable reason) {
      failures.add(reason);
    }
  }

  LogGroup(Path directory) throws IOException {
    this(directory, LogBounds.standard());
  }

  LogGroup(Path directory, LogBounds bounds) throws IOException {
    this.directory = directory;
    this.bounds = bounds;
    add("a", Keeps.ROWS);
    add("b", Keeps.ROWS);
    add("l", Keeps.LOG);
  }

  private void add(String name, Keeps keeps) throws IOException {
    members.add(new GroupMember(name, "127.0.0.1:" + ListenPorts.free(), keeps));
  }

  GroupConfig config(String name) {
    return new GroupConfig(
        "test/dn-1",
        name,
        members,
        directory.resolve(name),
        SECRET,
        ELECTION_MIN,
        ELECTION_MAX,
        bounds);
  }

  LogGroup start(String... names) {
    for (String name : names) {
      Heard ears = new Heard();
      heard.put(name, ears);
      running.put(name, GroupLog.start(config(name), ears));
    }
    return this;
  }

  void stop(String name) {
    GroupLog log = running.remove(name);
    if (log == null) {
      throw new IllegalArgumentException(name + " does not run");
    }
    log.close();
  }

  GroupLog log(String name) {
    GroupLog log = running.get(name);
    if (log == null) {
      throw new IllegalArgumentException(name + " does not run");
    }
    return log;
  }

  /** Appends as the one that leads, in the term that it has heard of last. */
  CompletableFuture<Long> append(String name, byte[] entry) {
    return log(name).append(heard(name).terms.getLast(), entry);
  }

  Heard heard(String name) {
    Heard ears = heard.get(name);
    if (ears == null) {
      throw new IllegalArgumentException(name + " has never run");
    }
    return ears;
  }

  /** Whether a member's log still begins with its first entry. */
  boolean hasFirstFile(String name) throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve(name))) {
      return files
          .map(file -> file.getFileName().toString())
          .anyMatch(file -> file.startsWith("log_0-") || file.equals("log_inprogress_0"));
    }
  }

  /** Waits until a member that has rows leads. */
  String leader() throws Exception {
    Eventually.await("a leader", () -> leading().isPresent());
    return leading().orElseThrow();
  }

  private Optional<String> leading() {
    return running.keySet().stream()
        .filter(name -> running.get(name) instanceof GroupLog log && log.leads())
        .filter(name -> heard(name).leads)
        .findFirst();
  }

  @Override
  public void close() {
    CompletableFuture.allOf(
            running.values().stream()
                .map(log -> CompletableFuture.runAsync(log::close, Thread::startVirtualThread))
                .toArray(CompletableFuture[]::new))
        .join();
  }
}
