package io.alrai.dn.rpc;

import io.alrai.dn.rpc.wire.KnownGenerations;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * The agents of a DN, as far as a node knows them without having asked.
 *
 * @param members those that may lead; none, or one, for a DN of one replica
 * @param learners those that never lead
 * @param leader where the one that leads was last
 * @param term in which that one leads; 0 when it is not known
 * @param generations which of them was forced
 */
public record KnownMembers(
    List<Member> members,
    List<Member> learners,
    InetSocketAddress leader,
    long term,
    KnownGenerations generations) {
  /**
   * One agent.
   *
   * @param name unique within its DN
   */
  public record Member(String name, InetSocketAddress address) {}

  public KnownMembers {
    members = List.copyOf(members);
    learners = List.copyOf(learners);
  }

  /** A DN without learners, where nobody was ever forced. */
  public KnownMembers(List<Member> members, InetSocketAddress leader, long term) {
    this(members, List.of(), leader, term, KnownGenerations.FIRST);
  }

  /** A copy for a node that follows that generation of the GMS. */
  public KnownMembers of(long gms) {
    return new KnownMembers(
        members,
        learners,
        leader,
        term,
        new KnownGenerations(gms, generations.group(), generations.survivor()));
  }

  /** Whether there is only one agent that could ever lead: a DN of one replica. */
  boolean alone() {
    return members.size() < 2 && term == 0;
  }

  /** Whether only one member of a group votes: nobody else can lead. */
  boolean isGroupOfOne() {
    return members.size() == 1 && term > 0;
  }

  /** The one agent of a DN of one replica. */
  public static KnownMembers alone(InetSocketAddress address) {
    return new KnownMembers(List.of(), address, 0);
  }
}
