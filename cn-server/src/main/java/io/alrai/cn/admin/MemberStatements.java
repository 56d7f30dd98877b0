package io.alrai.cn.admin;

import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.system.CnParts;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.dn.link.DnLink;
import io.alrai.dn.link.DnMembers;
import io.alrai.dn.link.MemberStatus;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DataNode;
import io.alrai.gms.api.DnMember;
import io.alrai.optimizer.api.MembersStatement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Who is in a DN's group. Each statement can be repeated without harm, and one that is killed goes
 * on at the leader or has changed nothing.
 */
final class MemberStatements {
  private final CnParts parts;

  MemberStatements(CnParts parts) {
    this.parts = parts;
  }

  /**
   * Lets a member vote whose process runs and waits for it; returns when it does. A DN of one
   * replica is a group first.
   *
   * @throws AlraiException why it cannot: its group is as it was
   */
  void add(StatementRun run, MembersStatement.Add add) {
    DnMembers members = group(add.dn());
    MemberStatus leader = leader(add.dn(), members);
    if (members.address(leader.name()).isEmpty()) {
      answer(members.add(leader.name(), add.member(), "", add.keepsRows())); // says why it cannot
    }
    String address = logAddress(members, add);
    while (!answer(members.add(leader.name(), add.member(), address, add.keepsRows()))) {
      // it is sent the log: the leader is asked again, until KILL
    }
    CnAdmin.ok(run);
  }

  /**
   * Has a group go on without a member; returns when it votes no more.
   *
   * @throws AlraiException why it cannot: its group is as it was
   */
  void drop(StatementRun run, MembersStatement.Drop drop) {
    DnMembers members = group(drop.dn());
    MemberStatus leader = leader(drop.dn(), members);
    List<String> known =
        Stream.of(
                Stream.of(leader.name()),
                leader.voters().stream().map(MemberStatus.Voter::name),
                registered(drop.dn()).map(DnMember::name))
            .flatMap(names -> names)
            .distinct()
            .sorted()
            .toList();
    if (!known.contains(drop.member())) {
      throw refusal(drop.dn() + " has no member '" + drop.member() + "': it has " + known);
    }
    answer(members.drop(leader.name(), drop.member()));
    parts.gms().submit(new CatalogCommand.DropDnMember(new DnId(drop.dn()), drop.member()));
    CnAdmin.ok(run);
  }

  private DnMembers group(String dn) {
    List<String> known = new ArrayList<>();
    for (DnLink link : parts.queries().links().all()) {
      if (link.dn().name().equals(dn)) {
        return link.members();
      }
      known.add(link.dn().name());
    }
    throw refusal("there is no DN '" + dn + "': there are " + known);
  }

  private static MemberStatus leader(String dn, DnMembers members) {
    List<CompletableFuture<MemberStatus>> asked =
        members.names().stream().map(members::ask).toList();
    return asked.stream()
        .flatMap(each -> known(each).stream())
        .filter(MemberStatus::leads)
        .findFirst()
        .orElseThrow(() ->
            refusal(
                "nobody leads "
                    + dn
                    + " now, so nobody can change its group; SHOW STORAGE REPLICAS tells why"));
  }

  private static Optional<MemberStatus> known(CompletableFuture<MemberStatus> asked) {
    try {
      return Optional.of(asked.join());
    } catch (CompletionException silent) {
      return Optional.empty();
    }
  }

  private Stream<DnMember> registered(String dn) {
    return parts.gms().catalog().dataNode(new DnId(dn)).stream()
        .map(DataNode::members)
        .flatMap(List::stream);
  }

  /** Where the log of a member to be is. */
  private String logAddress(DnMembers members, MembersStatement.Add add) {
    DnMember.Keeps keeps = add.keepsRows() ? DnMember.Keeps.ROWS : DnMember.Keeps.LOG;
    Predicate<DnMember> wanted = member -> member.name().equals(add.member());
    DnMember joiner =
        registered(add.dn())
            .filter(wanted)
            .findFirst()
            .orElseThrow(() ->
                refusal(
                    "no process waits to join "
                        + add.dn()
                        + " as '"
                        + add.member()
                        + "': start it first, with ./alrai member add; those that are known are "
                        + registered(add.dn()).map(DnMember::name).toList()));
    if (joiner.keeps() != keeps) {
      throw refusal(
          add.member()
              + (add.keepsRows()
                  ? " keeps the log alone: ADD LOGGER"
                  : " keeps rows and the log: ADD FOLLOWER"));
    }
    return add.keepsRows() ? answer(members.ask(add.member())).logAddress() : joiner.address();
  }

  private static <T> T answer(CompletableFuture<T> asked) {
    try {
      return asked.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof AlraiException known
          ? known
          : refusal("no answer in time: it may be done or not, and can be repeated");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw AlraiException.interruption(e);
    }
  }

  private static AlraiException refusal(String sentence) {
    return new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, sentence);
  }
}
