package io.alrai.gms.api;

import io.alrai.common.id.DnId;

/**
 * A DN as the cluster knows it.
 *
 * @param id its name
 * @param address {@code host:port} of its agent, or {@code embedded} inside one process
 */
public record DataNode(DnId id, String address) {
  /** The address of an agent in the same process. */
  public static final String EMBEDDED = "embedded";
}
