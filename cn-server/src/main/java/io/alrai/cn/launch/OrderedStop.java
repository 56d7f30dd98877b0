package io.alrai.cn.launch;

import io.alrai.cn.process.Closers;
import io.alrai.cn.process.RunDirectory;
import io.alrai.common.process.ChildProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends processes: in order, and with force those that do not end so. */
public final class OrderedStop {
  private static final Logger log = LoggerFactory.getLogger(OrderedStop.class);
  private static final long STOP_SECONDS = 90;
  private static final long KILL_SECONDS = 10;
  private static final long LOOK_MILLIS = 50;

  /** Kinds of roles, by how their names begin; others are who keeps them. */
  private static final List<String> TURNS =
      List.of("cn", "columnar", "node", "dn", "logger", "gms");

  private OrderedStop() {}

  /**
   * SIGTERM, which one that somebody has stopped hears when it goes on; after 90 s SIGKILL, which
   * loses nothing. Returns when it is gone.
   */
  public static void of(String name, ProcessHandle process) {
    process.destroy();
    goOn(process);
    if (!awaitEnd(process, STOP_SECONDS)) {
      log.warn("{} does not stop and is killed: process {}", name, process.pid());
      process.destroyForcibly();
      awaitEnd(process, KILL_SECONDS);
    }
  }

  /**
   * Stops what runs there, but not this process: keepers of others first, then CNs, which need the
   * rest to end in order, then column nodes, nodes, DNs, loggers, the GMS last; those of a kind at
   * the same time.
   *
   * @param called for each before
   * @return how many
   */
  public static int all(RunDirectory run, BiConsumer<String, ProcessHandle> told) {
    Map<Integer, List<String>> turns = new TreeMap<>();
    run.names()
        .forEach(name -> turns.computeIfAbsent(turn(name), t -> new ArrayList<>()).add(name));
    AtomicInteger stopped = new AtomicInteger();
    turns
        .values()
        .forEach(names ->
            Closers.together(
                names,
                name ->
                    run.process(name)
                        .filter(process -> process.pid() != ProcessHandle.current().pid())
                        .ifPresent(process -> {
                          told.accept(name, process);
                          of(name, process);
                          stopped.incrementAndGet();
                        })));
    return stopped.get();
  }

  private static void goOn(ProcessHandle process) {
    List<String> command = List.of("/bin/sh", "-c", "kill -CONT " + process.pid());
    try {
      ChildProcess.of(command)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException e) {
      log.debug("{} cannot be told to go on", process.pid(), e);
    }
  }

  private static int turn(String name) {
    return TURNS.indexOf(name.replaceFirst("-.*", "")) + 1;
  }

  /** What nobody has reaped never exits as far as onExit() can tell: so it is looked at as well. */
  private static boolean awaitEnd(ProcessHandle process, long seconds) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (RunDirectory.runs(process)) {
      if (System.nanoTime() - end > 0) {
        return false;
      }
      process.onExit().completeOnTimeout(process, LOOK_MILLIS, TimeUnit.MILLISECONDS).join();
    }
    return true;
  }
}
