package io.alrai.cn.config;

import io.alrai.cn.health.DrainBounds;
import io.alrai.cn.net.TrustedProxies;
import io.alrai.cn.snapshot.TimestampMode;
import io.alrai.cn.span.SpanChoice;
import io.alrai.cn.tls.TlsChoice;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.file.FileErrors;
import io.alrai.common.id.DnId;
import io.alrai.common.net.HostPort;
import io.alrai.common.secret.MemberTls;
import io.alrai.common.secret.Membership;
import io.alrai.common.secret.PrivateFiles;
import io.alrai.common.time.HybridLogicalClock;
import io.alrai.gms.api.node.GmsPeer;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The file that a role's process is started with, in Java's properties form; its main keys:
 *
 * <pre>
 * node = cn-1                                  this process
 * data = /var/lib/alrai                        its directory
 * listen = 127.0.0.1:8527                      where it serves
 * gms = gms-1@127.0.0.1:8600,...               all nodes of the GMS, to begin with; a node of the
 *                                              GMS that is not among them joins it
 * secret = ...                                 128 random bits, the same on every node; the file
 *                                              is for its owner alone
 * member.tls = no                              whether it speaks TLS with other nodes: no, accept,
 *                                              prefer or require
 * member.cert, member.key, member.ca           PEM files: its certificate by the cluster's CA
 * clock.offset.millis = 0                      for tests
 * clock.max.ahead.millis = 500                 how far ahead other nodes' clocks may be
 * metrics.port = 0                             where Prometheus finds the metrics; 0 for none
 * columns.memory.mb = 1024                     what the column indexes of a CN or a column node may
 *                                              take; 0, or where there are column nodes: a CN keeps none
 * tls = yes                                    whether a CN has TLS for clients: yes, no or required
 * tls.cert, tls.key, tls.ca                    PEM files; without them the CN has certificates of
 *                                              its own in the directory tls of data
 * proxy.networks =                             from where load balancers say who clients are
 * loops = 0                                    on how many event loops a CN serves clients; 0: one for
 *                                              each processor
 * drain.listen.seconds = 5                     for how long a CN that ends still lets clients in
 * drain.seconds = 60                           for how long it then waits for their transactions
 * group.dn-1 =                                 the members of a DN's group, for an agent of one and
 *                                              for a logger: dn-1-a@HOST:PORT/rows,..,
 *                                              logger-1@HOST:PORT/log; without it a DN is one agent.
 *                                              With + this process joins: +logger-2@HOST:PORT/log;
 *                                              learner: an agent that has rows and no vote
 * log.retention.bytes = 4294967296             what of a group's log is kept for absent members
 * apply.lag.max.millis = 1000                  what the best follower of a leader may lag
 * zone =                                       where an agent or a logger is
 * </pre>
 *
 * <p>Stateless.
 */
public final class RoleFile {
  /** Before the name of a DN. */
  static final String GROUP = "group.";

  /** More event loops are of no use on any machine. */
  private static final int MOST_LOOPS = 1_024;

  private RoleFile() {}

  /**
   * Reads a file.
   *
   * @throws AlraiException with a sentence that names the file and what is wrong in it
   */
  public static RoleConfig read(Path file) {
    Properties properties = new Properties();
    refuseOpen(file);
    try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      properties.load(reader);
    } catch (IOException e) {
      throw wrong(file, "it cannot be read: " + FileErrors.text(e));
    }
    String node = required(file, properties, "node");
    Path data = Path.of(required(file, properties, "data"));
    String gms = required(file, properties, "gms");
    return new RoleConfig(
        node,
        data,
        HostPort.parse(required(file, properties, "listen")).resolved(),
        read(file, () -> GmsPeer.parse(gms)),
        new Membership(
            required(file, properties, "secret"), read(file, () -> memberTls(properties))),
        new ClockChoice(
            offset(file, properties, "clock.offset.millis"),
            number(
                file,
                properties,
                "clock.max.ahead.millis",
                HybridLogicalClock.USUAL_MAX_AHEAD_MILLIS)),
        port(file, properties, "metrics.port"),
        TimestampMode.of(properties.getProperty("timestamp.source", "HLC")),
        number(file, properties, "columns.memory.mb", Limits.columnsMegabytes()),
        read(file, () -> endpoint(file, properties)),
        groups(file, properties, data, node),
        new GroupChoice(
            number(file, properties, "log.retention.bytes", GroupChoice.USUAL.retainedBytes()),
            number(file, properties, "apply.lag.max.millis", GroupChoice.USUAL.mostLagMillis()),
            properties.getProperty("zone", "").strip()));
  }

  private static <T> T read(Path file, Supplier<T> value) {
    try {
      return value.get();
    } catch (AlraiException e) {
      throw wrong(file, e.sentence());
    }
  }

  /** Those of the file; where it has none, the one that the agent has founded since. */
  private static List<DnGroup> groups(Path file, Properties properties, Path data, String node) {
    List<DnGroup> groups = new ArrayList<>();
    for (String name : new TreeSet<>(properties.stringPropertyNames())) {
      if (name.startsWith(GROUP)) {
        DnId dn = new DnId(name.substring(GROUP.length()));
        try {
          groups.add(DnGroup.parse(dn, properties.getProperty(name).strip()));
        } catch (AlraiException e) {
          throw wrong(file, name + ": " + e.sentence());
        }
      }
    }
    return groups.isEmpty() ? FoundedGroup.read(data, node).stream().toList() : groups;
  }

  /** With the secret, whoever can read the file is a member of the cluster. */
  private static void refuseOpen(Path file) {
    try {
      if (PrivateFiles.openToOthers(file)) {
        throw wrong(
            file,
            "it has the cluster's secret, and others than its owner may use it: chmod 600 " + file);
      }
    } catch (IOException e) {
      throw wrong(file, "it cannot be read: " + FileErrors.text(e));
    }
  }

  private static MemberTls memberTls(Properties properties) {
    return MemberTls.of(
        properties.getProperty("member.tls", ""),
        properties.getProperty("member.cert", ""),
        properties.getProperty("member.key", ""),
        properties.getProperty("member.ca", ""));
  }

  private static EndpointChoice endpoint(Path file, Properties properties) {
    TlsChoice tls =
        TlsChoice.of(
            properties.getProperty("tls", TlsChoice.OWN.use().text()),
            properties.getProperty("tls.cert", ""),
            properties.getProperty("tls.key", ""),
            properties.getProperty("tls.ca", ""));
    return new EndpointChoice(
        tls,
        TrustedProxies.of(properties.getProperty("proxy.networks", "")),
        yes(file, properties, "passwords.native"),
        new DrainBounds(
            number(file, properties, "drain.listen.seconds", DrainBounds.USUAL.listenSeconds()),
            number(file, properties, "drain.seconds", DrainBounds.USUAL.mostSeconds())),
        SpanChoice.of(
            properties.getProperty("otlp.endpoint", "").strip(),
            properties.getProperty("otlp.ratio", "").strip()),
        atMost(file, properties, "loops", MOST_LOOPS, "a number from 0 to " + MOST_LOOPS));
  }

  private static String required(Path file, Properties properties, String name) {
    String value = properties.getProperty(name, "").strip();
    if (value.isEmpty()) {
      throw wrong(file, name + " is missing");
    }
    return value;
  }

  private static long number(Path file, Properties properties, String name, long otherwise) {
    String value = properties.getProperty(name, "").strip();
    try {
      return value.isEmpty() ? otherwise : Long.parseUnsignedLong(value);
    } catch (NumberFormatException e) {
      throw wrong(file, name + " wants a number from 0 on, not " + value);
    }
  }

  private static long offset(Path file, Properties properties, String name) {
    String value = properties.getProperty(name, "0").strip();
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw wrong(file, name + " wants a number, not " + value);
    }
  }

  private static int port(Path file, Properties properties, String name) {
    return atMost(file, properties, name, 65_535, "a port");
  }

  private static int atMost(Path file, Properties properties, String name, int most, String what) {
    long value = number(file, properties, name, 0);
    if (value < 0 || value > most) { // from 2^63 on it is read as a negative one
      throw wrong(file, name + " wants " + what + ", not " + Long.toUnsignedString(value));
    }
    return (int) value;
  }

  private static boolean yes(Path file, Properties properties, String name) {
    return switch (properties.getProperty(name, "no").strip()) {
      case "yes" -> true;
      case "no" -> false;
      default -> throw wrong(file, name + " wants yes or no");
    };
  }

  private static AlraiException wrong(Path file, String what) {
    return new AlraiException(
        ErrorCode.ER_WRONG_VALUE_FOR_VAR, "the configuration " + file + ": " + what);
  }

  /** A file's content. */
  static String text(RoleConfig role) {
    EndpointChoice endpoint = role.endpoint();
    TlsChoice tls = endpoint.tls();
    GroupChoice bears = role.bears();
    return "node = "
        + role.node()
        + "\ndata = "
        + role.data()
        + "\nlisten = "
        + HostPort.of(role.listen())
        + "\ngms = "
        + GmsPeer.text(role.gms())
        + role.secret().text()
        + "\nclock.offset.millis = "
        + role.clock().offsetMillis()
        + "\nclock.max.ahead.millis = "
        + role.clock().maxAheadMillis()
        + "\nmetrics.port = "
        + role.metricsPort()
        + "\ntimestamp.source = "
        + role.timestamps()
        + "\ncolumns.memory.mb = "
        + role.columnsMegabytes()
        + "\ntls = "
        + tls.use().text()
        + "\ntls.cert = "
        + text(tls.certificate())
        + "\ntls.key = "
        + text(tls.key())
        + "\ntls.ca = "
        + text(tls.authority())
        + "\nproxy.networks = "
        + endpoint.proxies().text()
        + "\npasswords.native = "
        + (endpoint.nativePasswords() ? "yes" : "no")
        + "\ndrain.listen.seconds = "
        + endpoint.drain().listenSeconds()
        + "\ndrain.seconds = "
        + endpoint.drain().mostSeconds()
        + "\notlp.endpoint = "
        + endpoint.spans().endpoint()
        + "\notlp.ratio = "
        + endpoint.spans().ratio()
        + "\nloops = "
        + endpoint.loops()
        + "\nlog.retention.bytes = "
        + bears.retainedBytes()
        + "\napply.lag.max.millis = "
        + bears.mostLagMillis()
        + "\nzone = "
        + bears.zone()
        + "\n"
        + role.groups().stream()
            .map(group -> GROUP + group.dn() + " = " + group.text() + "\n")
            .collect(Collectors.joining());
  }

  private static String text(Optional<Path> file) {
    return file.map(Path::toString).orElse("");
  }
}
