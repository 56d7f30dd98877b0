package io.alrai.cn.leader;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.dn.link.DnMembers;
import io.alrai.dn.link.GroupOutlook;
import io.alrai.dn.link.MemberStatus;
import io.alrai.dn.link.MemberStatus.Cloning;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

/** A group of two with rows, whose leader changes when asked. One thread. */
final class FakeGroup implements DnMembers {
  private final List<String> names;

  /** Who leads, at first the first one. */
  String leader;

  /** Who does not answer; empty for nobody. */
  String silent = "";

  /** So often they do not answer, and then they do. */
  int slow;

  /** Why the leader stays; empty where it does not. */
  String refusal = "";

  /** What the one says of itself that follows. */
  String state = MemberStatus.FOLLOWING;

  String error = "";
  long lagMillis;

  /** How often the leader was to change. */
  int changes;

  FakeGroup(String... names) {
    this.names = List.of(names);
    this.leader = names[0];
  }

  @Override
  public List<String> names() {
    return names;
  }

  @Override
  public String address(String member) {
    return "h:" + member;
  }

  @Override
  public CompletableFuture<MemberStatus> ask(String member) {
    if (slow > 0) {
      slow--;
      return CompletableFuture.failedFuture(new TimeoutException());
    }
    if (member.equals(silent)) {
      return refused(member + " cannot be reached");
    }
    boolean leads = member.equals(leader);
    return CompletableFuture.completedFuture(
        new MemberStatus(
            member,
            leads ? "LEADING" : state,
            leads,
            leads ? changes + 1 : 0,
            7,
            0,
            leads ? 0 : lagMillis,
            leads ? "" : error,
            "h:" + member,
            List.of(),
            Cloning.NONE));
  }

  private static <T> CompletableFuture<T> refused(String why) {
    return CompletableFuture.failedFuture(
        new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, why));
  }

  @Override
  public CompletableFuture<Void> changeLeader(String from, String to) {
    changes++;
    if (!refusal.isEmpty()) {
      return refused(refusal);
    }
    leader = to;
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletableFuture<Boolean> add(
      String from, String member, String address, boolean keepsRows) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletableFuture<Boolean> drop(String from, String member) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletableFuture<Void> rebuild(String member) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletableFuture<Void> endRebuild(String member) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletableFuture<GroupOutlook> outlook(String member) {
    throw new UnsupportedOperationException();
  }
}
