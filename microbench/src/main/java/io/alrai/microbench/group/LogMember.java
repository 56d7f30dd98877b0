package io.alrai.microbench.group;

import io.alrai.dn.raft.GroupConfig;
import io.alrai.dn.raft.GroupEvents;
import io.alrai.dn.raft.GroupLog;
import io.alrai.dn.raft.GroupMember;
import io.alrai.dn.raft.GroupMember.Keeps;
import io.alrai.dn.raft.LogBounds;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One member as a process. Its output says when it leads, and what a load took; its input has the
 * loads. Ends with its input.
 *
 * <pre>
 *  LogMember NAME DIRECTORY ELECTION_MIN_MS ELECTION_MAX_MS NAME=HOST:PORT=ROWS|LOG..
 *  load BYTES UNDER_WAY COUNT     answer: loaded NANOS P50 P99 MAX (of one, in nanoseconds)
 *  last                           answer: last INDEX (of what is committed, as it knows)
 * </pre>
 */
public final class LogMember implements GroupEvents {
  private volatile long last;
  private volatile long term;

  private LogMember() {}

  /** Runs until the input ends. */
  public static void main(String[] args) throws IOException, InterruptedException {
    List<GroupMember> members = Arrays.stream(args).skip(4).map(LogMember::member).toList();
    GroupConfig config =
        new GroupConfig(
            "bench/dn-1",
            members.stream()
                .filter(member -> member.name().equals(args[0]))
                .findFirst()
                .orElseThrow(),
            members,
            Path.of(args[1]),
            Optional.empty(),
            Duration.ofMillis(Long.parseLong(args[2])),
            Duration.ofMillis(Long.parseLong(args[3])),
            LogBounds.standard());
    LogMember member = new LogMember();
    try (GroupLog log = GroupLog.start(config, member);
        BufferedReader orders =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      String order;
      while ((order = orders.readLine()) != null) {
        String[] words = order.split(" ");
        if (words[0].equals("last")) {
          say("last " + member.last);
        } else {
          member.load(
              log,
              Integer.parseInt(words[1]),
              Integer.parseInt(words[2]),
              Integer.parseInt(words[3]));
        }
      }
    }
  }

  private static GroupMember member(String text) {
    String[] parts = text.split("=");
    return new GroupMember(parts[0], parts[1], Keeps.valueOf(parts[2]));
  }

  private void load(GroupLog log, int bytes, int underWay, int count) throws InterruptedException {
    long[] nanos = new long[count];
    AtomicInteger failed = new AtomicInteger();
    Semaphore room = new Semaphore(underWay);
    long start = now();
    for (int i = 0; i < count; i++) {
      int number = i;
      room.acquire();
      long sent = now();
      log.append(term, new byte[bytes])
          .whenComplete((index, error) -> {
            nanos[number] = now() - sent;
            if (error != null) {
              failed.incrementAndGet();
            }
            room.release();
          });
    }
    room.acquire(underWay);
    long took = now() - start;
    Arrays.sort(nanos);
    say(
        failed.get() > 0
            ? "failed " + failed.get()
            : "loaded "
                + took
                + " "
                + nanos[count / 2]
                + " "
                + nanos[count * 99 / 100]
                + " "
                + nanos[count - 1]);
  }

  private static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  @Override
  public void dropped() {}

  @Override
  public void committed(long term, long index, ByteBuffer entry) {
    last = index;
  }

  @Override
  public void leads(long since) {
    term = since;
    say("leads");
  }

  @Override
  public void follows() {
    say("follows");
  }

  @Override
  public void failed(Throwable reason) {
    say("failed " + reason);
  }

  private static long now() {
    return System.nanoTime();
  }
}
