package io.alrai.cn.topology;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.file.FileErrors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The machines of a cluster, each of which has one node, as a person writes them down:
 *
 * <pre>
 * replicas: 3                      # of each DN, 1 or 3; with 3, three machines in turn have one DN
 * data: /var/lib/alrai
 * home: /opt/alrai                 # where the release is
 * user: alrai                      # whose processes they are
 * tls: true                        # between nodes, by a CA of the cluster's own
 * ports: {clients: 8527, dn: 8528, group: 8529, columnar: 8530, gms: 8600, metrics: 9100}
 * hosts:
 *   - {host: 10.0.0.1, zone: a}
 *   - {host: 10.0.0.2, zone: b, columnar: true}
 *   - {host: 10.0.0.3, zone: c, data: /data/alrai}
 * </pre>
 *
 * <p>All but {@code hosts} have defaults.
 *
 * @param replicas 1 or 3
 * @param data a directory, for hosts that name none
 * @param home the directory of the release
 * @param user of the system
 * @param tls whether nodes speak TLS with each other; empty: they do, but where files were made
 *     without
 * @param ports the same on all hosts
 * @param hosts at least one
 */
public record Topology(
    int replicas,
    String data,
    String home,
    String user,
    Optional<Boolean> tls,
    Ports ports,
    List<Host> hosts) {
  private static final int MEMBERS = 3;
  private static final int LARGEST_PORT = 65_535;
  private static final Pattern HOST =
      Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?");
  private static final Pattern USER = Pattern.compile("[a-z_][a-z0-9_-]{0,30}");

  /** A file of a properties file's value, and of a line of systemd's. */
  private static final Pattern DIRECTORY = Pattern.compile("/[^\\p{Cntrl}\\\\%\"' ]*");

  private static final Pattern ZONE = Pattern.compile("[^\\p{Cntrl}\\\\]{0,64}");

  private static final YAMLMapper YAML =
      YAMLMapper.builder(
              YAMLFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  public Topology {
    hosts = List.copyOf(hosts);
  }

  /**
   * Where what listens.
   *
   * @param clients of its CN
   * @param dn of its agent, for other nodes
   * @param group of the log of its DN's group
   * @param columnar of its column node
   * @param gms of its node of the GMS
   * @param metrics for Prometheus
   */
  public record Ports(int clients, int dn, int group, int columnar, int gms, int metrics) {
    private static final Ports USUAL = new Ports(8527, 8528, 8529, 8530, 8600, 9100);

    private List<Integer> all() {
      return List.of(clients, dn, group, columnar, gms, metrics);
    }
  }

  /**
   * A machine.
   *
   * @param host its name or address, as all others reach it
   * @param zone where it is, or empty
   * @param columnar whether it has a column node
   * @param data its directory
   */
  public record Host(String host, String zone, boolean columnar, String data) {}

  private record WrittenPorts(
      @Nullable Integer clients,
      @Nullable Integer dn,
      @Nullable Integer group,
      @Nullable Integer columnar,
      @Nullable Integer gms,
      @Nullable Integer metrics) {
    Ports ports() {
      Ports usual = Ports.USUAL;
      return new Ports(
          or(clients, usual.clients),
          or(dn, usual.dn),
          or(group, usual.group),
          or(columnar, usual.columnar),
          or(gms, usual.gms),
          or(metrics, usual.metrics));
    }
  }

  private record WrittenHost(
      @Nullable String host,
      @Nullable String zone,
      @Nullable Boolean columnar,
      @Nullable String data) {}

  private record Written(
      @Nullable Integer replicas,
      @Nullable String data,
      @Nullable String home,
      @Nullable String user,
      @Nullable Boolean tls,
      @Nullable WrittenPorts ports,
      @JsonProperty("hosts") @Nullable List<@Nullable WrittenHost> hosts) {}

  private static <T> T or(@Nullable T given, T otherwise) {
    return given == null ? otherwise : given;
  }

  /**
   * Reads a file.
   *
   * @throws AlraiException with a sentence that names the file and what is wrong in it
   */
  public static Topology read(Path file) {
    try {
      return of(Files.readString(file));
    } catch (IOException e) {
      throw wrong(file + ": " + FileErrors.text(e));
    } catch (AlraiException e) {
      throw wrong(file + ": " + e.sentence());
    }
  }

  /**
   * Reads a text.
   *
   * @throws AlraiException with a sentence that says what is wrong in it
   */
  static Topology of(String text) {
    @Nullable Written written;
    try {
      boolean empty = YAML.readTree(text).isMissingNode();
      written = empty ? null : YAML.readValue(text, Written.class);
    } catch (UnrecognizedPropertyException e) {
      throw wrong(
          "there is no key '"
              + e.getPropertyName()
              + "'"
              + at(e)
              + "; known are "
              + e.getKnownPropertyIds().stream().map(String::valueOf).sorted().toList());
    } catch (JacksonException e) {
      throw wrong(e.getOriginalMessage() + at(e));
    }
    if (written == null) {
      throw wrong("it names no hosts");
    }
    String data = directory("data", or(written.data(), "/var/lib/alrai"));
    Topology topology =
        new Topology(
            or(written.replicas(), 1),
            data,
            directory("home", or(written.home(), "/opt/alrai")),
            or(written.user(), "alrai"),
            Optional.ofNullable(written.tls()),
            or(written.ports(), new WrittenPorts(null, null, null, null, null, null)).ports(),
            or(written.hosts(), List.<@Nullable WrittenHost>of()).stream()
                .map(host -> host(host, data))
                .toList());
    topology.check();
    return topology;
  }

  private static String at(JacksonException e) {
    return e.getLocation() == null || e.getLocation().getLineNr() < 1
        ? ""
        : " in line " + e.getLocation().getLineNr();
  }

  private static Host host(@Nullable WrittenHost written, String data) {
    if (written == null || written.host() == null) {
      throw wrong("each of hosts wants a host: its name or address");
    }
    String name = written.host();
    if (!HOST.matcher(name).matches()) {
      throw wrong("'" + name + "' is no name of a host and no IPv4 address (for IPv6, a name)");
    }
    String zone = or(written.zone(), "");
    if (!ZONE.matcher(zone).matches() || !zone.strip().equals(zone)) {
      throw wrong(
          "zone wants 64 characters at most, without blanks around and backslashes, not " + zone);
    }
    return new Host(
        name,
        zone,
        or(written.columnar(), false),
        written.data() == null ? data : directory("data", written.data()));
  }

  private static String directory(String key, String path) {
    if (!DIRECTORY.matcher(path).matches()) {
      throw wrong(
          key + " wants a path from / on, without blanks, quotes, % and backslashes, not " + path);
    }
    return path;
  }

  private void check() {
    if (replicas != 1 && replicas != MEMBERS) {
      throw wrong("replicas wants 1 or 3, not " + replicas);
    }
    if (hosts.isEmpty()) {
      throw wrong("hosts wants at least one machine");
    }
    if (hosts.size() % replicas != 0) {
      throw wrong(
          "with 3 replicas the number of hosts is a multiple of three, not " + hosts.size());
    }
    Set<String> names = new HashSet<>();
    for (Host host : hosts) {
      if (!names.add(host.host())) {
        throw wrong(host.host() + " stands twice in hosts");
      }
    }
    if (!USER.matcher(user).matches()) {
      throw wrong("'" + user + "' is no name of a user");
    }
    if (ports.all().stream().anyMatch(port -> port < 1 || port > LARGEST_PORT)
        || Set.copyOf(ports.all()).size() < ports.all().size()) {
      throw wrong(
          "ports wants six different numbers from 1 to 65535, not "
              + ports.all().stream().map(String::valueOf).collect(Collectors.joining(", ")));
    }
  }

  static AlraiException wrong(String what) {
    return new AlraiException(ErrorCode.ER_WRONG_VALUE_FOR_VAR, what);
  }
}
