package io.alrai.gms.api.node;

import io.alrai.common.id.DnId;
import io.alrai.raft.GroupIds;
import java.util.List;

/**
 * A DN as the cluster knows it.
 *
 * @param id its name
 * @param address {@code host:port} of the agent that leads it, as far as is known, or {@code
 *     embedded} inside one process
 * @param members the members of its group by name; none for a DN of one replica
 * @param term in which that agent leads; 0 as long as no member of a group has led
 * @param forced whether a member was made the group by force
 */
public record DataNode(
    DnId id, String address, List<DnMember> members, long term, ForcedGroup forced) {
  /** The address of an agent in the same process. */
  public static final String EMBEDDED = "embedded";

  public DataNode {
    members = List.copyOf(members);
  }

  /** One whose group was never forced. */
  public DataNode(DnId id, String address, List<DnMember> members, long term) {
    this(id, address, members, term, ForcedGroup.NONE);
  }

  /** A DN of one replica. */
  public DataNode(DnId id, String address) {
    this(id, address, List.of(), 0);
  }

  /** Its copy at another address. */
  public DataNode at(String other) {
    return new DataNode(id, other, members, term, forced);
  }

  /** Its copy whose agent at an address leads in a term. */
  public DataNode led(String by, long in) {
    return new DataNode(id, by, members, in, forced);
  }

  /** Its copy with other members. */
  public DataNode with(List<DnMember> others) {
    return new DataNode(id, address, others, term, forced);
  }

  /** Its copy after a member was made the group. */
  public DataNode with(ForcedGroup by) {
    return new DataNode(id, address, members, term, by);
  }

  /** Whether the member that was made the group by force has not led it yet. */
  public boolean awaitsSurvivor() {
    return forced.generation() > 0 && term == GroupIds.firstTerm(forced.generation());
  }

  /** What plans may depend on: not who leads a group, nor who is in it. */
  public DataNode planned() {
    return new DataNode(id, term == 0 ? address : "", List.of(), 0, forced.planned());
  }
}
