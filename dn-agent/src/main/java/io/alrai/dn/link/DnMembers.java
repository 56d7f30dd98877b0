package io.alrai.dn.link;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The members of a DN that have rows, whoever leads. Thread-safe. */
public interface DnMembers {
  /** Their names; the DN's own where it has one replica. */
  List<String> names();

  /** The names of those that learn from it, and never lead; not among {@link #names}. */
  default List<String> learners() {
    return List.of();
  }

  /** Where a member's agent is; empty where it is in this process. */
  String address(String member);

  /** What a member says of itself; fails when it does not answer within about a second. */
  CompletableFuture<MemberStatus> ask(String member);

  /**
   * Has the leader let another member lead.
   *
   * @param leader is asked to
   * @return completes when that one is elected; fails with why it is not
   */
  CompletableFuture<Void> changeLeader(String leader, String to);

  /**
   * Has the leader let a member vote that waits for it. It is asked again until it has.
   *
   * @param address where the member's log is; empty for a learner, for which there is to be a group
   *     only
   * @return whether it votes; fails as {@link #drop} does
   */
  CompletableFuture<Boolean> add(String leader, String member, String address, boolean keepsRows);

  /**
   * Has the leader go on without a member. It is asked again until it does.
   *
   * @return whether it does already; fails with ALRAI_NODE_UNAVAILABLE and why where the leader
   *     refuses it, and then it has not begun; with anything else where nobody knows
   */
  CompletableFuture<Boolean> drop(String leader, String member);

  /**
   * Has a member get all its rows again from another one.
   *
   * @return completes when it has begun; fails with why it does not
   */
  CompletableFuture<Void> rebuild(String member);

  /** Has a member give up what {@link #rebuild} has asked for; completes when it has. */
  CompletableFuture<Void> endRebuild(String member);

  /** What a member would go on with as the whole group; fails when it does not answer in 3 s. */
  CompletableFuture<GroupOutlook> outlook(String member);

  /** Those of a DN of one replica in this process. */
  static DnMembers alone(String dn) {
    return new DnMembers() {
      @Override
      public List<String> names() {
        return List.of(dn);
      }

      @Override
      public String address(String member) {
        return "";
      }

      @Override
      public CompletableFuture<MemberStatus> ask(String member) {
        return CompletableFuture.completedFuture(MemberStatus.alone(dn));
      }

      @Override
      public CompletableFuture<Void> changeLeader(String leader, String to) {
        return refused("nobody else can lead");
      }

      @Override
      public CompletableFuture<Boolean> add(
          String leader, String member, String address, boolean keepsRows) {
        return refused(
            "it is in the process of its CN, where nobody can join it; stop the cluster, start it"
                + " with ./alrai up --processes, and repeat this");
      }

      @Override
      public CompletableFuture<Boolean> drop(String leader, String member) {
        return refused("nobody can be dropped");
      }

      private <T> CompletableFuture<T> refused(String why) {
        return CompletableFuture.failedFuture(
            new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, dn + " has one replica: " + why));
      }

      @Override
      public CompletableFuture<Void> rebuild(String member) {
        return refused("there is nobody to get its rows from");
      }

      @Override
      public CompletableFuture<Void> endRebuild(String member) {
        return CompletableFuture.completedFuture(null);
      }

      @Override
      public CompletableFuture<GroupOutlook> outlook(String member) {
        return refused("nobody can be made its group by force");
      }
    };
  }
}
