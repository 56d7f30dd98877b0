package io.alrai.gms.api.node;

import io.alrai.common.id.NodeId;

/**
 * A column node as the cluster knows it: a process that keeps column indexes and runs plans over
 * them for all CNs.
 *
 * @param id its name
 * @param address {@code host:port} where CNs and other column nodes reach it
 * @param leaseUntilMillis when it counts as gone unless it renews, leader's wall time
 */
public record ColumnNode(NodeId id, String address, long leaseUntilMillis) {}
