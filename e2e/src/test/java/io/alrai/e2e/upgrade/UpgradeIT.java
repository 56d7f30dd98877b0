package io.alrai.e2e.upgrade;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.e2e.ColumnIndexed;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.load.BankLoad;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * A cluster of the release before this one becomes one of this release, process by process in the
 * order of docs/operations/upgrade.md, and then goes back, while a bank moves money between two DNs
 * and adds it up, and autocommit clients write rows. With {@code -Dupgrade.from=DIR} only, where
 * that release is built: {@code .ci/upgrade} does all of it. {@code -Dupgrade.replicas=3} has DNs
 * of three members, {@code -Dupgrade.gms=3} a GMS of three, {@code -Dupgrade.mixed=SECONDS} says
 * for how long each mixture works.
 */
@Tag("alone")
@EnabledIfSystemProperty(named = "upgrade.from", matches = ".+")
final class UpgradeIT {
  private static final int REPLICAS = Integer.getInteger("upgrade.replicas", 1);
  private static final int GMS = Integer.getInteger("upgrade.gms", 1);
  private static final int MIXED_SECONDS = Integer.getInteger("upgrade.mixed", 3);
  private static final int DNS = 2;
  private static final int ACCOUNTS = 100;
  private static final int WRITERS = 4;
  private static final int MOST_SECONDS = 3_600;

  @Test
  @Timeout(MOST_SECONDS)
  void oneProcessAfterTheOther() throws Exception {
    Release before = Release.before(Path.of(System.getProperty("upgrade.from")));
    long seed = System.nanoTime();
    try (RoleProcesses cluster = new RoleProcesses()) {
      cluster.found(
          before,
          "--dns",
          "" + DNS,
          "--cns",
          "2",
          "--columnars",
          "1",
          "--gms",
          "" + GMS,
          "--replicas",
          "" + REPLICAS);
      List<String> roles = cluster.roles();
      System.out.println("roles " + roles);
      for (String cn : roles.stream().filter(role -> role.startsWith("cn-")).toList()) {
        cluster.configure(cn, "drain.seconds", "20"); // as a CN has that is started by hand
      }
      cluster.startAll(before);
      BankLoad bank =
          new BankLoad(new BankLoad.Size(cluster.ports(), ACCOUNTS, DNS, WRITERS, true));
      bank.create();
      ColumnIndexed.awaitReady(cluster.ports().getFirst(), BankLoad.SCHEMA, "account");
      AtomicBoolean stop = new AtomicBoolean();
      try (Ledger ledger = new Ledger(cluster.ports());
          ExecutorService runner = Executors.newVirtualThreadPerTaskExecutor()) {
        ledger.begin();
        Future<Void> run =
            runner.submit(() -> {
              bank.run(MOST_SECONDS, seed, stop);
              return null;
            });
        try {
          works(bank, ledger);
          replace(cluster, Release.THIS, roles, bank, ledger);
          replace(cluster, before, roles.reversed(), bank, ledger);
        } finally {
          stop.set(true);
          ledger.end();
          System.out.println(bank.text());
          System.out.println(
              ledger.written() + " rows, " + ledger.retries() + " retries, " + ledger.errors());
        }
        run.get();
        assertEquals(List.of(), bank.explained(), bank.tornTotals() + " torn totals");
        for (int port : cluster.ports()) {
          assertEquals(List.of(), bank.checkAtRest(port));
          ColumnIndexed.awaitReady(port, BankLoad.SCHEMA, "account");
          assertEquals(List.of(), ColumnIndexed.differences(port, BankLoad.SCHEMA, "account"));
        }
        assertEquals(Set.of(), ledger.lost());
        assertEquals(Map.of(), unexplained(ledger.errors()));
      }
    }
  }

  /** A DN of one replica is away while it is replaced. */
  private static Map<String, Integer> unexplained(Map<String, Integer> errors) {
    return errors.entrySet().stream()
        .filter(error -> REPLICAS > 1 || !error.getKey().matches("dn-\\d is (stopped|started) .*"))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private static void replace(
      RoleProcesses cluster, Release by, List<String> roles, BankLoad bank, Ledger ledger)
      throws InterruptedException {
    for (String role : roles) {
      ledger.phase(role + " is stopped for " + by.name());
      long begin = System.nanoTime();
      cluster.stop(role);
      long ended = System.nanoTime();
      ledger.phase(role + " is started by " + by.name());
      cluster.start(by, List.of(role));
      System.out.printf(
          "%s of %s: ended in %d ms, serves after %d ms%n",
          role,
          by.name(),
          TimeUnit.NANOSECONDS.toMillis(ended - begin),
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - ended));
      ledger.phase("behind " + role + " of " + by.name());
      works(bank, ledger);
      TimeUnit.SECONDS.sleep(MIXED_SECONDS);
    }
  }

  /** Transfers, readings and rows come in. */
  private static void works(BankLoad bank, Ledger ledger) {
    long transfers = bank.transfers();
    long readings = bank.readings();
    long rows = ledger.written();
    ClusterProcess.await(
        () -> "transfers, readings and rows: " + bank.text() + ledger.errors(),
        60,
        20,
        () ->
            bank.transfers() > transfers + 20
                && bank.readings() > readings + 20
                && ledger.written() > rows + 20);
  }
}
