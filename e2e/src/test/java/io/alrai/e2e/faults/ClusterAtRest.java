package io.alrai.e2e.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.testing.ClusterProcess;
import io.alrai.testing.DnDoors;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What must hold of a cluster of groups when no client works and nothing fails. One thread. */
final class ClusterAtRest {
  /** What a member keeps of its group's log, with a file that is being written and one to purge. */
  private static final long MOST_LOG_BYTES = 512L << 20;

  /** All that processes write for people to read, over all starts. */
  private static final long MOST_TEXT_BYTES = 256L << 20;

  private static final long MOST_RESIDENT_KILOBYTES = 700_000;
  private static final int SETTLED_SECONDS = 120;
  private static final Pattern ROLE = Pattern.compile(".*/etc/([^/]+)\\.properties");
  private static final Pattern DATA = Pattern.compile("--datadir=.*/([^/]+)/data");

  private final ClusterProcess cluster;
  private final GroupMembers members;

  ClusterAtRest(ClusterProcess cluster, GroupMembers members) {
    this.cluster = cluster;
    this.members = members;
  }

  /** Members have the same transactions and rows, and nothing is prepared. */
  void awaitEqualMembers() {
    for (int dn = 1; dn <= 2; dn++) {
      String one = members.rows(dn).getFirst();
      String other = members.rows(dn).getLast();
      ClusterProcess.await(
          "equal members of dn-" + dn,
          SETTLED_SECONDS,
          () -> executed(one).equals(executed(other)));
      assertEquals(checksums(one), checksums(other), one + " and " + other);
    }
    try (DnDoors doors = new DnDoors(cluster.directory(), members.rows())) {
      ClusterProcess.await(
          "the end of all prepared transactions",
          SETTLED_SECONDS,
          () -> doors.prepared().isEmpty());
    }
  }

  private List<List<String>> executed(String member) {
    try (DnDoors doors = new DnDoors(cluster.directory(), List.of(member))) {
      return doors.query(member, "SELECT @@global.gtid_executed");
    } catch (RuntimeException e) {
      return List.of(List.of(member + " cannot be asked: " + e.getMessage()));
    }
  }

  /** Copies that one statement reads are of one mysqld alone. */
  private List<List<String>> checksums(String member) {
    try (DnDoors doors = new DnDoors(cluster.directory(), List.of(member))) {
      List<List<String>> tables =
          doors.query(
              member,
              "SELECT CONCAT('`',table_schema,'`.`',table_name,'`') FROM information_schema.tables"
                  + " WHERE table_schema NOT IN ('mysql','sys','performance_schema',"
                  + "'information_schema') AND table_schema NOT LIKE 'alrai\\_gather\\_%'"
                  + " AND table_type='BASE TABLE' ORDER BY 1");
      assertTrue(tables.size() > 2, () -> member + " has " + tables);
      String names = String.join(",", tables.stream().map(List::getFirst).toList());
      return doors.query(member, "CHECKSUM TABLE " + names);
    }
  }

  /** Logs are released, and memory is given back, however often leaders change. */
  void checkSizes() throws IOException {
    List<String> told = new ArrayList<>();
    for (ProcessHandle process : cluster.processes()) {
      String name = name(process);
      if (!name.startsWith("watcher")) {
        long kilobytes = residentKilobytes(process);
        told.add(name + " " + kilobytes / 1024 + " MB");
        assertTrue(
            name.startsWith("mysqld") || kilobytes < MOST_RESIDENT_KILOBYTES,
            name + " has " + kilobytes + " kB");
      }
    }
    System.out.println("resident: " + String.join(", ", told.stream().sorted().toList()));
    told.clear();
    for (int dn = 1; dn <= 2; dn++) {
      for (String member : members.all(dn)) {
        long bytes = bytesIn(cluster.directory().resolve(member).resolve("log-of-dn-" + dn));
        told.add(member + " of dn-" + dn + " " + (bytes >> 20) + " MB");
        assertTrue(bytes < MOST_LOG_BYTES, member + " keeps " + bytes + " bytes of log");
      }
    }
    long text = bytesIn(cluster.directory().resolve("log"));
    System.out.println("logs: " + String.join(", ", told) + "; texts " + (text >> 10) + " kB");
    assertTrue(text < MOST_TEXT_BYTES, "logs for people have " + text + " bytes");
  }

  /** Each role, mysqld and watcher of one is there once, and there is nothing else. */
  void awaitNoOrphans() {
    ClusterProcess.await(
        () -> "the end of all but one of each of " + counted(),
        SETTLED_SECONDS,
        100,
        () ->
            counted().entrySet().stream()
                .allMatch(each -> each.getValue() == 1 && isOurs(each.getKey())));
  }

  private Map<String, Integer> counted() {
    Map<String, Integer> counted = new TreeMap<>();
    cluster.processes().forEach(process -> counted.merge(name(process), 1, Integer::sum));
    return counted;
  }

  private boolean isOurs(String name) {
    String owner = name.substring(name.lastIndexOf(' ') + 1);
    return owner.matches("up|cn-1|gms-1|logger-1") // nobody removes the first logger
        || members.all(1).contains(owner)
        || members.all(2).contains(owner);
  }

  private String name(ProcessHandle process) {
    if (process.pid() == cluster.process().pid()) {
      return "up";
    }
    List<String> line = ClusterProcess.commandLine(process);
    for (String word : line) {
      Matcher role = ROLE.matcher(word);
      if (role.matches()) {
        return role.group(1);
      }
      Matcher data = DATA.matcher(word);
      if (data.matches()) {
        return (line.contains("alrai-mysqld") ? "watcher of " : "mysqld of ") + data.group(1);
      }
    }
    return "unknown " + String.join(" ", line);
  }

  /** None of a process that is gone. */
  private static long residentKilobytes(ProcessHandle process) throws IOException {
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    if (!Files.exists(status)) {
      return 0;
    }
    try (Stream<String> lines = Files.lines(status)) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
          .findFirst()
          .orElse(0);
    }
  }

  private static long bytesIn(Path directory) {
    return bytesIn(directory.toFile());
  }

  /** Files come and go meanwhile: one that is gone has no bytes. */
  private static long bytesIn(File directory) {
    File[] inside = directory.listFiles();
    return inside == null
        ? directory.length()
        : Stream.of(inside).mapToLong(ClusterAtRest::bytesIn).sum();
  }
}
