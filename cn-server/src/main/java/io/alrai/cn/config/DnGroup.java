package io.alrai.cn.config;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.net.HostPort;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.dn.raft.GroupConfig;
import io.alrai.dn.raft.GroupMember;
import io.alrai.dn.raft.GroupMember.Keeps;
import io.alrai.dn.raft.LogBounds;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The members of a DN of several replicas, as configurations name them.
 *
 * @param members those that began the group: agents, which have rows, and loggers; or the one
 *     member that joins it later; nobody for a learner, which is no member
 * @param joins whether it is one that joins: it waits until it is added
 */
public record DnGroup(DnId dn, List<GroupMember> members, boolean joins) {
  private static final String JOINS = "+";
  private static final String LEARNER = "learner";
  private static final Duration ELECTION_MIN = Duration.ofMillis(500);
  private static final Duration ELECTION_MAX = Duration.ofMillis(1_000);

  public DnGroup {
    members = List.copyOf(members);
  }

  /** The one that joins a group. */
  public static DnGroup joining(DnId dn, GroupMember member) {
    return new DnGroup(dn, List.of(member), true);
  }

  /** One that learns what the members of a group commit. */
  public static DnGroup learning(DnId dn) {
    return new DnGroup(dn, List.of(), true);
  }

  /** Whether it is one that learns. */
  public boolean learns() {
    return members.isEmpty();
  }

  /**
   * Reads {@code NAME@HOST:PORT/rows,NAME@HOST:PORT/log,...}, or {@code +NAME@HOST:PORT/log} of one
   * that joins, or {@code learner}.
   *
   * @throws AlraiException when it is not of that form, or nobody in it has rows
   */
  public static DnGroup parse(DnId dn, String text) {
    if (text.equals(LEARNER)) {
      return learning(dn);
    }
    boolean joins = text.startsWith(JOINS);
    List<GroupMember> members = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (String one : (joins ? text.substring(JOINS.length()) : text).split(",", -1)) {
      String member = one.strip();
      int at = member.indexOf('@');
      int slash = member.lastIndexOf('/');
      if (at < 1 || slash < at || !names.add(member.substring(0, at))) {
        throw wrong("a group wants NAME@HOST:PORT/rows or /log, each name once, not " + member);
      }
      String address = member.substring(at + 1, slash);
      HostPort.parse(address);
      members.add(
          new GroupMember(member.substring(0, at), address, keeps(member.substring(slash + 1))));
    }
    if (joins && members.size() > 1) {
      throw wrong("a process joins a group as one member, not as " + names);
    }
    if (!joins && members.stream().noneMatch(member -> member.keeps() == Keeps.ROWS)) {
      throw wrong("nobody in the group has rows");
    }
    return new DnGroup(dn, members, joins);
  }

  private static Keeps keeps(String text) {
    return switch (text) {
      case "rows" -> Keeps.ROWS;
      case "log" -> Keeps.LOG;
      default -> throw wrong("a member of a group keeps rows or log, not " + text);
    };
  }

  private static AlraiException wrong(String what) {
    return new AlraiException(ErrorCode.ER_WRONG_VALUE_FOR_VAR, what);
  }

  /** How a member takes part, with its log in a directory of its own. */
  public GroupConfig config(String node, Path data, ClusterSecret secret, LogBounds bounds) {
    return new GroupConfig(
        dn.name(),
        own(node),
        joins ? List.of() : members,
        data.resolve(node).resolve("log-of-" + dn),
        Optional.of(secret),
        ELECTION_MIN,
        ELECTION_MAX,
        bounds);
  }

  /** The member that is a node. */
  public GroupMember own(String node) {
    return members.stream()
        .filter(member -> member.name().equals(node))
        .findFirst()
        .orElseThrow(() -> wrong(node + " is no member of the group of " + dn));
  }

  /** As {@link #parse} reads it. */
  String text() {
    if (learns()) {
      return LEARNER;
    }
    return (joins ? JOINS : "")
        + members.stream()
            .map(member ->
                member.name()
                    + "@"
                    + member.address()
                    + "/"
                    + member.keeps().name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(","));
  }
}
