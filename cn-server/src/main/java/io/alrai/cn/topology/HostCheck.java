package io.alrai.cn.topology;

import io.alrai.cn.config.DnGroup;
import io.alrai.cn.config.RoleConfig;
import io.alrai.cn.node.NodeConfig;
import io.alrai.common.error.AlraiException;
import io.alrai.common.net.HostPort;
import io.alrai.common.process.ChildProcess;
import io.alrai.dn.raft.GroupMember;
import io.alrai.gms.api.node.GmsPeer;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is looked at on a machine before its node starts for the first time: ports, ways to the
 * others, limits, memory, the clock. Blocking, for some seconds at most.
 */
public final class HostCheck {
  private static final long LEAST_FILES = 8_192;
  private static final long LEAST_MEMORY_MIB = 2_000;
  private static final int WAY_MILLIS = 2_000;
  private static final int CLOCK_SECONDS = 5;
  private static final Duration SOON = Duration.ofDays(30);
  private static final Pattern OPEN_FILES =
      Pattern.compile("(?m)^Max open files +(\\d+|unlimited)");
  private static final Pattern MEMORY = Pattern.compile("(?m)^MemAvailable: +(\\d+) kB");

  private final NodeConfig node;
  private final List<Finding> findings = new ArrayList<>();

  /** How bad it is. */
  public enum Verdict {
    /** Nothing to do. */
    GOOD,
    /** To be looked at by a person; a node starts nevertheless. */
    DOUBTFUL,
    /** A node would not start, or not work. */
    WRONG
  }

  /** What was found, in a sentence. */
  public record Finding(Verdict verdict, String text) {}

  /** Has found nothing yet. */
  HostCheck(NodeConfig node) {
    this.node = node;
  }

  /** Looks at this machine, for a node that does not run. */
  public static List<Finding> of(NodeConfig node) {
    HostCheck check = new HostCheck(node);
    check.own().forEach(check::port);
    check.reachable();
    check.others().forEach(check::way);
    check.certificate();
    check.openFiles(read(Path.of("/proc/self/limits")));
    check.memory(read(Path.of("/proc/meminfo")));
    check.clock(List.of("timedatectl", "show", "--property=NTPSynchronized", "--value"));
    return check.findings();
  }

  private void add(Verdict verdict, String text) {
    findings.add(new Finding(verdict, text));
  }

  /** Where it will listen. */
  private List<InetSocketAddress> own() {
    RoleConfig role = node.role();
    List<InetSocketAddress> own = new ArrayList<>(List.of(role.listen(), node.agent().listen()));
    node.gms().ifPresent(part -> own.add(part.listen()));
    node.columnar().ifPresent(part -> own.add(part.listen()));
    members(true).forEach(own::add);
    if (role.metricsPort() != 0) {
      own.add(new InetSocketAddress(role.listen().getHostString(), role.metricsPort()));
    }
    return own;
  }

  /** The other machines that its file names. */
  private Set<InetSocketAddress> others() {
    Set<InetSocketAddress> others = new LinkedHashSet<>();
    node.role().gms().stream()
        .filter(peer -> node.gms().stream().noneMatch(own -> own.name().equals(peer.id().name())))
        .map(GmsPeer::address)
        .map(HostPort::parse)
        .map(HostPort::resolved)
        .forEach(others::add);
    others.addAll(members(false));
    return others;
  }

  private List<InetSocketAddress> members(boolean own) {
    return node.role().groups().stream()
        .map(DnGroup::members)
        .flatMap(List::stream)
        .filter(member -> member.name().equals(node.agent().name()) == own)
        .map(GroupMember::address)
        .map(HostPort::parse)
        .map(HostPort::resolved)
        .toList();
  }

  /** A name that only this machine takes for its own, as Debian's /etc/hosts has it. */
  void reachable() {
    InetSocketAddress own = node.role().listen();
    boolean others =
        others().stream()
            .anyMatch(other -> !other.isUnresolved() && !other.getAddress().isLoopbackAddress());
    if (others && !own.isUnresolved() && own.getAddress().isLoopbackAddress()) {
      add(
          Verdict.WRONG,
          own.getHostString()
              + " is "
              + own.getAddress().getHostAddress()
              + " on this machine, where others cannot reach it: see /etc/hosts");
    }
  }

  private static String text(InetSocketAddress address) {
    return HostPort.of(address).toString();
  }

  void port(InetSocketAddress address) {
    if (address.isUnresolved()) {
      add(Verdict.WRONG, "nobody knows the address of " + address.getHostString());
      return;
    }
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(address);
      add(Verdict.GOOD, text(address) + " is free to listen on");
    } catch (BindException e) {
      add(
          Verdict.WRONG,
          text(address)
              + " cannot be listened on: "
              + e.getMessage()
              + "; the port is taken, or the address is none of this machine's");
    } catch (IOException e) {
      add(Verdict.WRONG, text(address) + " cannot be listened on: " + e.getMessage());
    }
  }

  void way(InetSocketAddress address) {
    if (address.isUnresolved()) {
      add(Verdict.WRONG, "nobody knows the address of " + address.getHostString());
      return;
    }
    try (Socket socket = new Socket()) {
      socket.connect(address, WAY_MILLIS);
      add(Verdict.GOOD, text(address) + " answers");
    } catch (SocketTimeoutException e) {
      add(
          Verdict.WRONG,
          text(address)
              + " does not answer within "
              + WAY_MILLIS / 1_000
              + " s: its machine is down, or something between drops packets");
    } catch (ConnectException refused) {
      // the system itself gives up later, unless net.ipv4.tcp_syn_retries is 0 or 1
      add(Verdict.GOOD, "the machine of " + text(address) + " answers; nobody listens there yet");
    } catch (IOException e) {
      add(Verdict.WRONG, "there is no way to " + text(address) + ": " + e.getMessage());
    }
  }

  /** Its own for other nodes, if its file names one. */
  void certificate() {
    try {
      node.role()
          .secret()
          .open()
          .files()
          .ifPresent(files -> {
            Instant end = files.end();
            String text =
                "the certificate in " + files.file() + " (" + files.name() + ") ends at " + end;
            if (end.isBefore(Instant.now())) {
              add(Verdict.WRONG, text + ", which is over: alrai cert renew");
            } else if (end.isBefore(Instant.now().plus(SOON))) {
              add(Verdict.DOUBTFUL, text + ", which is soon: alrai cert renew");
            } else {
              add(Verdict.GOOD, text);
            }
          });
    } catch (AlraiException e) {
      add(Verdict.WRONG, e.sentence());
    }
  }

  void openFiles(Optional<String> limits) {
    Matcher most = OPEN_FILES.matcher(limits.orElse(""));
    if (!most.find()) {
      add(Verdict.DOUBTFUL, "how many files may be open at a time cannot be found out");
    } else if (!most.group(1).equals("unlimited") && Long.parseLong(most.group(1)) < LEAST_FILES) {
      add(
          Verdict.WRONG,
          "only "
              + most.group(1)
              + " files may be open at a time; each client is one: ulimit -n 65536, or"
              + " LimitNOFILE=65536 of the unit");
    } else {
      add(Verdict.GOOD, most.group(1) + " files may be open at a time");
    }
  }

  void memory(Optional<String> meminfo) {
    Matcher left = MEMORY.matcher(meminfo.orElse(""));
    if (!left.find()) {
      add(Verdict.DOUBTFUL, "how much memory is free cannot be found out");
      return;
    }
    long mebibytes = Long.parseLong(left.group(1)) >> 10;
    if (mebibytes < LEAST_MEMORY_MIB) {
      add(
          Verdict.DOUBTFUL,
          "only " + mebibytes + " MiB of memory are free; a node with its mysqld wants 2 GiB");
    } else {
      add(Verdict.GOOD, mebibytes + " MiB of memory are free");
    }
  }

  /**
   * Whether something keeps the machine's clock right.
   *
   * @param question a command that prints {@code yes} then, and {@code no} otherwise
   */
  void clock(List<String> question) {
    try {
      Process process =
          ChildProcess.of(question)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .redirectInput(Path.of("/dev/null").toFile())
              .start();
      if (!process.waitFor(CLOCK_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        add(
            Verdict.DOUBTFUL,
            question.getFirst() + " does not say whether the clock is kept right");
        return;
      }
      String answer;
      try (var reader = process.inputReader()) {
        answer = String.valueOf(reader.readLine());
      }
      switch (answer.strip()) {
        case "yes" -> add(Verdict.GOOD, "the clock is kept right by a time service");
        case "no" ->
            add(
                Verdict.DOUBTFUL,
                "no time service keeps the clock right: nodes whose clocks differ by more than"
                    + " clock.max.ahead.millis refuse each other; chrony or systemd-timesyncd");
        default ->
            add(
                Verdict.DOUBTFUL,
                question.getFirst() + " does not say whether the clock is kept right");
      }
    } catch (IOException e) {
      add(
          Verdict.DOUBTFUL,
          "whether the clock is kept right cannot be found out: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Optional<String> read(Path file) {
    try {
      return Optional.of(Files.readString(file));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** What was found so far. */
  List<Finding> findings() {
    return List.copyOf(findings);
  }
}
