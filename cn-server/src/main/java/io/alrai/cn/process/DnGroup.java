package io.alrai.cn.process;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
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
 * @param members all voters: agents, which have rows, and loggers
 */
public record DnGroup(DnId dn, List<GroupMember> members) {
  private static final Duration ELECTION_MIN = Duration.ofMillis(500);
  private static final Duration ELECTION_MAX = Duration.ofMillis(1_000);

  public DnGroup {
    members = List.copyOf(members);
  }

  /**
   * Reads {@code NAME@HOST:PORT/rows,NAME@HOST:PORT/log,...}.
   *
   * @throws AlraiException when it is not of that form, or nobody in it has rows
   */
  static DnGroup parse(DnId dn, String text) {
    List<GroupMember> members = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (String one : text.split(",", -1)) {
      String member = one.strip();
      int at = member.indexOf('@');
      int slash = member.lastIndexOf('/');
      if (at < 1 || slash < at || !names.add(member.substring(0, at))) {
        throw wrong("a group wants NAME@HOST:PORT/rows or /log, each name once, not " + member);
      }
      String address = member.substring(at + 1, slash);
      RoleConfig.address(address);
      members.add(
          new GroupMember(member.substring(0, at), address, keeps(member.substring(slash + 1))));
    }
    if (members.stream().noneMatch(member -> member.keeps() == Keeps.ROWS)) {
      throw wrong("nobody in the group has rows");
    }
    return new DnGroup(dn, members);
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
  GroupConfig config(String node, Path data, ClusterSecret secret, LogBounds bounds) {
    return new GroupConfig(
        dn.name(),
        members.stream()
            .filter(member -> member.name().equals(node))
            .findFirst()
            .orElseThrow(() -> wrong(node + " is no member of the group of " + dn)),
        members,
        data.resolve(node).resolve("log-of-" + dn),
        Optional.of(secret),
        ELECTION_MIN,
        ELECTION_MAX,
        bounds);
  }

  /** As {@link #parse} reads it. */
  String text() {
    return members.stream()
        .map(member ->
            member.name()
                + "@"
                + member.address()
                + "/"
                + member.keeps().name().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(","));
  }
}
