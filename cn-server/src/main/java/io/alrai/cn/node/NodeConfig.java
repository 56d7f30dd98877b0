package io.alrai.cn.node;

import io.alrai.cn.config.RoleConfig;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.file.FileErrors;
import io.alrai.common.id.NodeId;
import io.alrai.common.net.HostPort;
import io.alrai.gms.api.node.GmsPeer;
import java.io.IOException;
import java.io.Reader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * The file that a node is started with: that of a role, whose {@code listen} is for clients, and
 * what its parts are named and where they listen:
 *
 * <pre>
 * cn = cn-1                                    its CN
 * dn = dn-1                                    its agent: a DN's, or a member's of a group
 * dn.listen = 127.0.0.1:8528                   where CNs and agents of other nodes find it
 * gms.node =                                   its node of the GMS, one of gms; none if not said
 * columnar =                                   its column node; none if not said
 * columnar.listen =                            where CNs find that
 * </pre>
 *
 * @param role what the parts have in common
 * @param cn the name of its CN
 * @param agent its agent
 * @param gms its node of the GMS, where that is said to be among all of them
 * @param columnar its column node
 */
public record NodeConfig(
    RoleConfig role, String cn, Part agent, Optional<Part> gms, Optional<Part> columnar) {

  /** A part that others speak to. */
  public record Part(String name, InetSocketAddress listen) {}

  /**
   * Reads what a file has besides the role.
   *
   * @param role what it says of the role
   * @throws AlraiException with a sentence that names the file and what is wrong in it
   */
  public static NodeConfig read(Path file, RoleConfig role) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      properties.load(reader);
    } catch (IOException e) {
      throw wrong(file, "it cannot be read: " + FileErrors.text(e));
    }
    for (String key : List.of("cn", "dn", "gms.node", "columnar")) {
      optional(properties, key).ifPresent(name -> check(file, key, name));
    }
    String cn = optional(properties, "cn").orElseThrow(() -> wrong(file, "cn is missing"));
    Part agent =
        part(file, properties, "dn", "dn.listen").orElseThrow(() -> wrong(file, "dn is missing"));
    Optional<Part> gms =
        optional(properties, "gms.node").map(name -> gmsNode(file, name, role.gms()));
    Optional<Part> columnar = part(file, properties, "columnar", "columnar.listen");
    Set<String> names = new HashSet<>(Set.of(role.node()));
    boolean apart = names.add(cn) && names.add(agent.name());
    apart &= gms.isEmpty() || names.add(gms.get().name());
    apart &= columnar.isEmpty() || names.add(columnar.get().name());
    if (!apart) {
      throw wrong(file, "node, cn, dn, gms.node and columnar want different names");
    }
    return new NodeConfig(role, cn, agent, gms, columnar);
  }

  private static Part gmsNode(Path file, String name, List<GmsPeer> all) {
    return all.stream()
        .filter(peer -> peer.id().equals(new NodeId(name)))
        .map(peer -> new Part(name, HostPort.parse(peer.address()).resolved()))
        .findFirst()
        .orElseThrow(() -> wrong(file, "gms.node wants one of gms, which " + name + " is not"));
  }

  private static Optional<Part> part(Path file, Properties properties, String name, String listen) {
    Optional<String> address = optional(properties, listen);
    return optional(properties, name)
        .map(part ->
            new Part(part, place(file, listen, address.orElseThrow(() -> missing(file, listen)))));
  }

  private static void check(Path file, String key, String name) {
    try {
      var _ = new NodeId(name);
    } catch (IllegalArgumentException e) {
      throw wrong(file, key + ": " + e.getMessage());
    }
  }

  private static InetSocketAddress place(Path file, String key, String text) {
    try {
      return HostPort.parse(text).resolved();
    } catch (AlraiException e) {
      throw wrong(file, key + ": " + e.sentence());
    }
  }

  private static Optional<String> optional(Properties properties, String key) {
    return Optional.of(properties.getProperty(key, "").strip()).filter(value -> !value.isEmpty());
  }

  private static AlraiException missing(Path file, String key) {
    return wrong(file, key + " is missing");
  }

  private static AlraiException wrong(Path file, String what) {
    return new AlraiException(
        ErrorCode.ER_WRONG_VALUE_FOR_VAR, "the configuration " + file + ": " + what);
  }

  /** The file's content. */
  public String text() {
    BiFunction<String, Part, String> lines =
        (key, part) ->
            key
                + " = "
                + part.name()
                + "\n"
                + key
                + ".listen = "
                + part.listen().getHostString()
                + ":"
                + part.listen().getPort()
                + "\n";
    return role.text()
        + "cn = "
        + cn
        + "\n"
        + lines.apply("dn", agent)
        + gms.map(part -> "gms.node = " + part.name() + "\n").orElse("")
        + columnar.map(part -> lines.apply("columnar", part)).orElse("");
  }

  /** Its CN as a role. */
  RoleConfig cnRole() {
    return role.as(cn, role.listen());
  }

  /** A part as a role. */
  RoleConfig as(Part part) {
    return role.as(part.name(), part.listen());
  }
}
