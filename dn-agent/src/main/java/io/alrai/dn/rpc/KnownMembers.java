package io.alrai.dn.rpc;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * The agents of a DN, as far as a node knows them without having asked.
 *
 * @param members those that may lead; none, or one, for a DN of one replica
 * @param leader where the one that leads was last
 * @param term in which that one leads; 0 when it is not known
 */
public record KnownMembers(List<Member> members, InetSocketAddress leader, long term) {
  /**
   * One agent.
   *
   * @param name unique within its DN
   */
  public record Member(String name, InetSocketAddress address) {}

  public KnownMembers {
    members = List.copyOf(members);
  }

  /** The one agent of a DN of one replica. */
  public static KnownMembers alone(InetSocketAddress address) {
    return new KnownMembers(List.of(), address, 0);
  }
}
