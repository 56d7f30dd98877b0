package io.alrai.cn.console;

import io.alrai.cn.process.ConsoleProgress;
import io.alrai.cn.process.RunDirectory;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.sql.Sql;
import io.alrai.tpcc.SteadyWriters;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code alrai bench failover}: how long nobody can write when a part of a group fails. */
@Command(
    name = "failover",
    mixinStandardHelpOptions = true,
    description =
        "Kills and stops parts of a running cluster of this machine, started with --processes"
            + " --replicas 3, and lets followers take over as planned,"
            + " while clients insert rows by autocommit into all DNs, and prints for"
            + " each kind of fault the longest time between two acknowledgements of one client"
            + " (name value unit baseline ratio; the baseline are the two seconds before the"
            + " fault). The exit code is 0 only if no acknowledged row is lost or twice there.")
final class FailoverCommand implements Callable<Integer> {
  private static final long QUIET_MILLIS = 2_000;
  private static final long STOPPED_MILLIS = 10_000;
  private static final long PATIENCE_SECONDS = 120;
  private static final long LOOK_MILLIS = 20;
  private static final long MORE_ROWS = 50;

  @Mixin private DataOption data = new DataOption();

  @Option(
      names = {"-n", "--faults"},
      defaultValue = "3",
      description = "Faults of each kind (default: 3).")
  private int faults = 3;

  @Option(
      names = {"-k", "--kinds"},
      split = ",",
      description =
          "Kinds of faults, separated by commas: ${COMPLETION-CANDIDATES} (default: all).")
  private List<Fault> kinds = List.of(Fault.values());

  private final ConsoleProgress progress = new ConsoleProgress(System.err);
  private final Clock clock = Clock.systemDefaultZone();

  private enum Fault {
    LEADERS_MYSQLD,
    LEADER,
    STOPPED_LEADER,
    FOLLOWER,
    LOGGER,
    SWITCH_OVER;

    String figure() {
      return "failover_" + name().toLowerCase(Locale.ROOT);
    }
  }

  /** Milliseconds of one kind of fault. */
  private record Figures(List<Double> gaps, List<Double> before, List<Double> back) {
    Figures() {
      this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }
  }

  @Override
  public Integer call() throws SQLException, InterruptedException {
    GroupProcesses processes = new GroupProcesses(data.path());
    List<String> dns = processes.dns();
    String url =
        new RunDirectory(data.path())
            .endpoint()
            .filter(found -> !dns.isEmpty())
            .orElseThrow(() ->
                new AlraiException(
                    ErrorCode.ALRAI_NODE_UNAVAILABLE,
                    "no cluster with --replicas 3 runs on " + data.path()));
    SteadyWriters writers = new SteadyWriters(url.replaceFirst("/$", ""), dns.size());
    writers.create();
    try (writers) {
      writers.start();
      await("rows", () -> writers.fewest() > MORE_ROWS);
      for (Fault fault : kinds) {
        Figures figures = new Figures();
        long errors = writers.errorCount();
        long autocommitErrors = writers.autocommitErrorCount();
        for (int i = 0; i < faults; i++) {
          strike(processes, writers, fault, dns.get(i % dns.size()), figures);
        }
        print(fault, figures);
        System.out.printf(
            "%s_errors %d errors - -%n", fault.figure(), writers.errorCount() - errors);
        System.out.printf(
            "%s_autocommit_errors %d errors - -%n",
            fault.figure(), writers.autocommitErrorCount() - autocommitErrors);
      }
    }
    List<String> wrong = writers.wrong();
    wrong.forEach(System.err::println);
    System.out.printf("failover_rows %d rows - -%n", writers.acknowledged());
    System.out.printf("failover_errors %d errors - -%n", writers.errorCount());
    System.out.printf("failover_lost_or_twice %d rows - -%n", wrong.size());
    if (writers.errorCount() > 0) {
      System.err.println("errors: " + writers.errors());
    }
    return wrong.isEmpty() ? 0 : 1;
  }

  private void strike(
      GroupProcesses processes, SteadyWriters writers, Fault fault, String dn, Figures figures)
      throws InterruptedException {
    await("members of " + dn, () -> whole(processes, dn));
    writers.mark();
    TimeUnit.MILLISECONDS.sleep(QUIET_MILLIS);
    double before = writers.longestGapMillis();
    String leader = processes.leader(dn).orElseThrow();
    String victim =
        switch (fault) {
          case LEADERS_MYSQLD, LEADER, STOPPED_LEADER, SWITCH_OVER -> leader;
          case FOLLOWER -> GroupProcesses.other(leader);
          case LOGGER -> GroupProcesses.LOGGER;
        };
    LocalDateTime at = LocalDateTime.now(clock);
    writers.mark();
    if (fault != Fault.SWITCH_OVER) {
      hit(processes, fault, victim);
    } else if (!replaces(writers, victim)) {
      return;
    }
    long rows = writers.fewest();
    await("rows after the fault", () -> writers.fewest() > rows + MORE_ROWS);
    TimeUnit.MILLISECONDS.sleep(QUIET_MILLIS);
    double gap = writers.longestGapMillis();
    if (fault != Fault.LOGGER) {
      await(victim + " again", () -> servesSince(processes, victim, at));
      LocalDateTime since = processes.state(victim).orElseThrow().since();
      figures.back().add((double) Duration.between(at, since).toMillis());
    }
    figures.gaps().add(gap);
    figures.before().add(before);
    progress.step(
        String.format(
            Locale.ROOT, "%s of %s (%s): %.0f ms, before %.0f", fault, dn, victim, gap, before));
  }

  private static void hit(GroupProcesses processes, Fault fault, String victim)
      throws InterruptedException {
    ProcessHandle process =
        fault == Fault.LEADERS_MYSQLD ? processes.mysqld(victim) : processes.role(victim);
    if (fault == Fault.STOPPED_LEADER) {
      GroupProcesses.signal("STOP", process);
      TimeUnit.MILLISECONDS.sleep(STOPPED_MILLIS);
      GroupProcesses.signal("CONT", process);
    } else {
      process.destroyForcibly();
    }
  }

  /** Has the other member lead; false where that is refused. */
  private boolean replaces(SteadyWriters writers, String leader) {
    Sql change =
        Sql.of("ALTER SYSTEM CHANGE_ROLE NODE ")
            .literal(GroupProcesses.other(leader))
            .words(" TO LEADER");
    try (Connection connection = writers.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(change.text());
      return true;
    } catch (SQLException e) {
      progress.step(leader + " leads on: " + e.getMessage());
      return false;
    }
  }

  private static boolean whole(GroupProcesses processes, String dn) {
    return processes.runs(GroupProcesses.LOGGER)
        && processes.leader(dn).isPresent()
        && GroupProcesses.members(dn).stream()
            .allMatch(
                member -> processes.state(member).filter(GroupProcesses.State::serves).isPresent());
  }

  private static boolean servesSince(GroupProcesses processes, String member, LocalDateTime at) {
    return processes
        .state(member)
        .filter(state -> state.serves() && state.since().isAfter(at))
        .isPresent();
  }

  private static void print(Fault fault, Figures figures) {
    if (figures.gaps().isEmpty()) {
      return;
    }
    double before = share(figures.before(), 0.5);
    line(fault.figure() + "_p50", share(figures.gaps(), 0.5), before);
    line(fault.figure() + "_p99", share(figures.gaps(), 0.99), before);
    line(fault.figure() + "_max", share(figures.gaps(), 1), before);
    if (!figures.back().isEmpty()) {
      System.out.printf(
          Locale.ROOT,
          "%s_back %.0f ms %.0f -%n",
          fault.figure(),
          share(figures.back(), 0.5),
          share(figures.back(), 1));
    }
  }

  private static void line(String name, double value, double baseline) {
    System.out.printf(
        Locale.ROOT, "%s %.0f ms %.0f %.1f%n", name, value, baseline, value / baseline);
  }

  private static double share(List<Double> values, double share) {
    List<Double> sorted = new ArrayList<>(values);
    Collections.sort(sorted);
    int at = (int) Math.ceil(share * sorted.size()) - 1;
    return sorted.get(Math.max(0, at));
  }

  private static void await(String what, BooleanSupplier holds) throws InterruptedException {
    for (long waited = 0; !holds.getAsBoolean(); waited += LOOK_MILLIS) {
      if (waited > TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS)) {
        throw new AlraiException(
            ErrorCode.ALRAI_NODE_UNAVAILABLE, what + ": nothing within " + PATIENCE_SECONDS + " s");
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
  }
}
