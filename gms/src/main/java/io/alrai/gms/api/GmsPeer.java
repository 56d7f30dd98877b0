package io.alrai.gms.api;

import io.alrai.common.id.NodeId;

/**
 * A node of the GMS' Raft group.
 *
 * @param id its name, unique in the group
 * @param address {@code host:port} on which it serves peers and clients; empty for the one node of
 *     a cluster in one process, which needs no port
 */
public record GmsPeer(NodeId id, String address) {}
