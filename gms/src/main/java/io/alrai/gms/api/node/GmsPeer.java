package io.alrai.gms.api.node;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.NodeId;
import io.alrai.common.net.HostPort;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A node of the GMS' Raft group.
 *
 * @param id its name, unique in the group
 * @param address {@code host:port} on which it serves peers and clients; empty for the one node of
 *     a cluster in one process, which needs no port
 */
public record GmsPeer(NodeId id, String address) {
  /**
   * A node that a person names.
   *
   * @throws AlraiException ER_WRONG_VALUE_FOR_VAR where it cannot be one
   */
  public static GmsPeer of(String name, String address) {
    NodeId id;
    try {
      id = new NodeId(name);
    } catch (IllegalArgumentException e) {
      throw new AlraiException(
          ErrorCode.ER_WRONG_VALUE_FOR_VAR,
          "a node of the GMS is named with 1 to 32 letters, digits and dashes, not '" + name + "'",
          e);
    }
    return new GmsPeer(id, HostPort.parse(address).toString());
  }

  /**
   * Reads {@code NAME@HOST:PORT,..}.
   *
   * @throws AlraiException ER_WRONG_VALUE_FOR_VAR with what is wrong
   */
  public static List<GmsPeer> parse(String text) {
    List<GmsPeer> peers = new ArrayList<>();
    for (String peer : text.split(",", -1)) {
      String[] parts = peer.strip().split("@", 2);
      if (parts.length < 2) {
        throw new AlraiException(
            ErrorCode.ER_WRONG_VALUE_FOR_VAR, "gms wants NAME@HOST:PORT, not " + peer);
      }
      peers.add(new GmsPeer(new NodeId(parts[0]), parts[1]));
    }
    return peers;
  }

  /** What {@link #parse} reads. */
  public static String text(List<GmsPeer> peers) {
    return peers.stream().map(GmsPeer::toString).collect(Collectors.joining(","));
  }

  @Override
  public String toString() {
    return id.name() + "@" + address;
  }
}
