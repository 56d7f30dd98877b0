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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** A group in one process, over sockets. */
public final class LogGroup implements AutoCloseable {
  private static final Duration ELECTION_MIN = Duration.ofMillis(1_500);
  private static final Duration ELECTION_MAX = Duration.ofMillis(3_000);

  /** Longer than a test waits for anything. */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  /** How many frames of a stack are printed. */
  private static final int DEPTH = 20;

  private static final Optional<ClusterSecret> SECRET =
      Optional.of(new ClusterSecret("a secret of the test's own, 32 bytes and more"));

  private final Path directory;
  private final LogBounds bounds;
  private final List<GroupMember> members = new ArrayList<>();
  private final Map<String, GroupMember> joiners = new HashMap<>();
  private final Map<String, Long> begun = new HashMap<>();
  private final Set<String> patient = new HashSet<>();

  private final Map<String, GroupLog> running = new HashMap<>();
  private final Map<String, Heard> heard = new HashMap<>();

  /** What a member has heard since its start. */
  static final class Heard implements GroupEvents {
    final List<String> committed = new CopyOnWriteArrayList<>();
    final List<Long> terms = new CopyOnWriteArrayList<>();
    final List<Long> skipped = new CopyOnWriteArrayList<>();
    final List<Throwable> failures = new CopyOnWriteArrayList<>();
    volatile boolean leads;
    volatile boolean dropped;

    @Override
    public void committed(long term, long index, ByteBuffer entry) {
      committed.add(StandardCharsets.UTF_8.decode(entry).toString());
    }

    @Override
    public void skipped(long upTo) {
      skipped.add(upTo);
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
    public void dropped() {
      dropped = true;
    }

    @Override
    public void failed(Throwable reason) {
      failures.add(reason);
    }
  }

  /** Two members with rows, a and b, and l with the log alone. */
  LogGroup(Path directory) throws IOException {
    this(directory, LogBounds.standard());
  }

  LogGroup(Path directory, LogBounds bounds) throws IOException {
    this(directory, bounds, Keeps.ROWS);
  }

  private LogGroup(Path directory, LogBounds bounds, Keeps second) throws IOException {
    this.directory = directory;
    this.bounds = bounds;
    add("a", Keeps.ROWS);
    add("b", second);
    add("l", Keeps.LOG);
  }

  /** One member with rows, a, and two with the log alone, b and l. */
  public static LogGroup withOneOfRows(Path directory) throws IOException {
    return new LogGroup(directory, LogBounds.standard(), Keeps.LOG);
  }

  /** One that waits to be added, with an empty directory of its own. */
  GroupMember join(String name, Keeps keeps) throws IOException {
    return join(name, keeps, 0);
  }

  /** As the other one, in a group of that generation. */
  GroupMember join(String name, Keeps keeps, long generation) throws IOException {
    GroupMember joiner = new GroupMember(name, "127.0.0.1:" + ListenPorts.free(), keeps);
    joiners.put(name, joiner);
    begun.put(name, generation);
    start(name);
    return joiner;
  }

  private GroupMember member(String name) {
    return Stream.concat(members.stream(), joiners.values().stream())
        .filter(member -> member.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private void add(String name, Keeps keeps) throws IOException {
    members.add(new GroupMember(name, "127.0.0.1:" + ListenPorts.free(), keeps));
  }

  GroupConfig config(String name) {
    return new GroupConfig(
        "test/dn-1",
        member(name),
        joiners.containsKey(name) ? List.of() : members,
        directory.resolve(name),
        SECRET,
        patient.contains(name) ? PATIENCE : ELECTION_MIN,
        patient.contains(name) ? PATIENCE.multipliedBy(2) : ELECTION_MAX,
        bounds,
        begun.getOrDefault(name, 0L));
  }

  /** Starts members. */
  public LogGroup start(String... names) {
    for (String name : names) {
      Heard ears = new Heard();
      heard.put(name, ears);
      running.put(name, GroupLog.start(config(name), ears));
    }
    return this;
  }

  /** Starts one again that does not miss its leader from now on, however silent that is. */
  void restartPatiently(String name) {
    stop(name);
    patient.add(name);
    start(name);
  }

  /** Stops one. */
  public void stop(String name) {
    GroupLog log = running.remove(name);
    if (log == null) {
      throw new IllegalArgumentException(name + " does not run");
    }
    log.close();
  }

  /** The log of one that runs. */
  public GroupLog log(String name) {
    GroupLog log = running.get(name);
    if (log == null) {
      throw new IllegalArgumentException(name + " does not run");
    }
    return log;
  }

  /** Appends as the one that leads, in the term that it has heard of last. */
  CompletableFuture<Long> append(String name, byte[] entry) {
    return log(name).append(term(name), entry);
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

  /** In which a member has led last. */
  public long term(String name) {
    return heard(name).terms.getLast();
  }

  /** Waits until a member that has rows leads; says what all do when none does. */
  public String leader() throws Exception {
    try {
      Eventually.await("a leader", () -> leading().isPresent());
    } catch (AssertionError late) {
      throw new AssertionError(late.getMessage() + "; " + states(), late);
    }
    return leading().orElseThrow();
  }

  private String states() {
    StringBuilder states = new StringBuilder();
    running.forEach((name, log) -> {
      Heard ears = heard(name);
      states.append(
          String.format(
              "%s: leads %b (heard %b, terms %s), leader %s, last %s, dropped %b, failures %s%n",
              name,
              log.leads(),
              ears.leads,
              ears.terms,
              log.leader(),
              log.last(),
              ears.dropped,
              ears.failures));
    });
    Thread.getAllStackTraces()
        .forEach((thread, stack) -> {
          if (thread.getName().contains("@group-")) {
            states.append(thread).append(' ').append(thread.getState());
            Stream.of(stack).limit(DEPTH).forEach(frame -> states.append("\n    ").append(frame));
            states.append('\n');
          }
        });
    return states.toString();
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
