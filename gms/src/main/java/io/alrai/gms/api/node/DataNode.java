package io.alrai.gms.api.node;

import io.alrai.common.id.DnId;
import java.util.List;

/**
 * A DN as the cluster knows it.
 *
 * @param id its name
 * @param address {@code host:port} of the agent that leads it, as far as is known, or {@code
 *     embedded} inside one process
 * @param members the members of its group by name; none for a DN of one replica
 * @param term in which that agent leads; 0 as long as no member of a group has led
 */
public record DataNode(DnId id, String address, List<DnMember> members, long term) {
  /** The address of an agent in the same process. */
  public static final String EMBEDDED = "embedded";

  public DataNode {
    members = List.copyOf(members);
  }

  /** A DN of one replica. */
  public DataNode(DnId id, String address) {
    this(id, address, List.of(), 0);
  }

  /** Its copy at another address. */
  public DataNode at(String other) {
    return new DataNode(id, other, members, term);
  }

  /** What plans may depend on: not who leads a group, nor who is in it. */
  public DataNode planned() {
    return new DataNode(id, term == 0 ? address : "");
  }
}
