package io.alrai.microbench.group;

import io.alrai.common.net.ListenPorts;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Three members as processes: appends by size and number under way, beside plain syncs of the same
 * disk; how long nobody leads after the leader is killed while it writes, and how long it takes
 * until it has all of the log again.
 *
 * <pre>
 *  GroupLogBench DIRECTORY KILLS ELECTION_MIN_MS ELECTION_MAX_MS
 * </pre>
 */
public final class GroupLogBench {
  private static final long PATIENCE_SECONDS = 60;
  private static final int APPENDS = 2_000;
  private static final int SYNCS = 300;

  private final Path directory;
  private final List<String> timeouts;
  private final Map<String, String> addresses = new LinkedHashMap<>();
  private final Map<String, Member> running = new LinkedHashMap<>();
  private final Random random = new Random(1);

  private GroupLogBench(Path directory, List<String> timeouts) {
    this.directory = directory;
    this.timeouts = timeouts;
  }

  private record Said(String member, String line, long nanos) {}

  private record Member(Process process, BlockingQueue<Said> said) {
    void order(String text) {
      try {
        process.getOutputStream().write((text + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Prints lines of name, value, unit. */
  public static void main(String[] args) throws IOException, InterruptedException {
    GroupLogBench bench = new GroupLogBench(Path.of(args[0]), List.of(args[2], args[3]));
    try {
      bench.run(Integer.parseInt(args[1]));
    } finally {
      bench.running.values().forEach(member -> member.process().destroyForcibly());
    }
  }

  private void run(int kills) throws IOException, InterruptedException {
    for (String member : List.of("a=ROWS", "b=ROWS", "l=LOG")) {
      String[] parts = member.split("=");
      addresses.put(parts[0], "127.0.0.1:" + ListenPorts.free() + "=" + parts[1]);
    }
    for (String name : addresses.keySet()) {
      start(name);
    }
    String leader = awaitLeader();
    syncs();
    load(leader, 16_384, 16, 2 * APPENDS, false);
    for (int bytes : new int[] {1_024, 16_384}) {
      for (int underWay : new int[] {1, 16, 64}) {
        load(leader, bytes, underWay, APPENDS, true);
      }
    }
    elections(leader, kills);
  }

  private void start(String name) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("-Xmx512m", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(LogMember.class.getName(), name, directory.resolve(name).toString()));
    command.addAll(timeouts);
    addresses.forEach((member, address) -> command.add(member + "=" + address));
    File log = directory.resolve(name + ".log").toFile();
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.appendTo(log)).start();
    BlockingQueue<Said> said = new LinkedBlockingQueue<>();
    Thread.ofVirtual().start(() -> listen(name, process, said));
    running.put(name, new Member(process, said));
  }

  private static void listen(String name, Process process, BlockingQueue<Said> said) {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      String line;
      while ((line = lines.readLine()) != null) {
        said.add(new Said(name, line, now()));
      }
    } catch (IOException e) {
      // it was killed
    }
  }

  private @Nullable Said next(String line, long millis) throws InterruptedException {
    long deadline = now() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (now() < deadline) {
      for (Member member : running.values()) {
        Said said = member.said().poll(1, TimeUnit.MILLISECONDS);
        if (said != null && said.line().startsWith(line)) {
          return said;
        }
      }
    }
    return null;
  }

  private Said await(String line) throws InterruptedException {
    Said said = next(line, PATIENCE_SECONDS * 1_000);
    if (said == null) {
      throw new IllegalStateException("nobody said " + line);
    }
    return said;
  }

  private String awaitLeader() throws InterruptedException {
    return await("leads").member();
  }

  private void load(String leader, int bytes, int underWay, int count, boolean print)
      throws InterruptedException {
    member(leader).order("load " + bytes + " " + underWay + " " + count);
    String[] words = await("loaded").line().split(" ");
    if (!print) {
      return;
    }
    String name = "append_" + bytes / 1_024 + "k_" + underWay;
    print(name + "_rate", count / (Long.parseLong(words[1]) / 1e9), "1/s");
    print(name + "_p50", Long.parseLong(words[2]) / 1e6, "ms");
    print(name + "_p99", Long.parseLong(words[3]) / 1e6, "ms");
    print(name + "_max", Long.parseLong(words[4]) / 1e6, "ms");
  }

  private Member member(String name) {
    Member member = running.get(name);
    if (member == null) {
      throw new IllegalArgumentException(name);
    }
    return member;
  }

  /** What a sync of an appended entry takes here, without any log. */
  private void syncs() throws IOException {
    double[] millis = new double[SYNCS];
    try (FileChannel file =
        FileChannel.open(
            directory.resolve("plain"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      ByteBuffer entry = ByteBuffer.allocate(16_384);
      for (int i = 0; i < SYNCS; i++) {
        long start = now();
        entry.clear();
        file.write(entry);
        file.force(false);
        millis[i] = (now() - start) / 1e6;
      }
    }
    Arrays.sort(millis);
    print("sync_16k_p50", millis[SYNCS / 2], "ms");
    print("sync_16k_p99", millis[SYNCS * 99 / 100], "ms");
  }

  private void elections(String first, int kills) throws IOException, InterruptedException {
    double[] seconds = new double[kills];
    double[] back = new double[kills];
    String leader = first;
    for (int i = 0; i < kills; i++) {
      member(leader).order("load 1024 16 " + 20 * APPENDS);
      Thread.sleep(random.nextInt(100, 600));
      running.values().forEach(member -> member.said().clear());
      long killed = now();
      member(leader).process().destroyForcibly();
      running.remove(leader);
      Said next = await("leads");
      seconds[i] = (next.nanos() - killed) / 1e9;
      start(leader);
      awaitLog(leader, last(next.member()));
      back[i] = (now() - next.nanos()) / 1e9;
      leader = next.member();
    }
    if (kills > 0) {
      Arrays.sort(seconds);
      Arrays.sort(back);
      print("back_again_p50", back[kills / 2], "s");
      print("back_again_max", back[kills - 1], "s");
      print("no_leader_p50", seconds[kills / 2], "s");
      print("no_leader_p99", seconds[kills * 99 / 100], "s");
      print("no_leader_max", seconds[kills - 1], "s");
    }
  }

  private long last(String name) throws InterruptedException {
    member(name).order("last");
    return Long.parseLong(await("last").line().split(" ")[1]);
  }

  /** Until a member that was started again has all that another one had by then. */
  private void awaitLog(String name, long index) throws InterruptedException {
    long deadline = now() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (true) {
      long has = last(name);
      if (has >= index) {
        return;
      }
      if (now() > deadline) {
        throw new IllegalStateException(name + " has " + has + " of " + index + " entries");
      }
      Thread.sleep(20);
    }
  }

  private static void print(String name, double value, String unit) {
    System.out.printf(Locale.ROOT, "%s %.3f %s%n", name, value, unit);
  }

  private static long now() {
    return System.nanoTime();
  }
}
