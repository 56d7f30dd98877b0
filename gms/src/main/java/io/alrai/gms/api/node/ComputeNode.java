package io.alrai.gms.api.node;

import io.alrai.common.id.NodeId;

/**
 * A CN as the cluster knows it.
 *
 * @param id its name
 * @param number 1 to 1023, unique among the CNs; the high bits of its connection ids
 * @param address {@code host:port} for clients
 * @param catalogVersion the version it last said it works with
 * @param leaseUntilMillis when it counts as gone unless it renews, leader's wall time
 */
public record ComputeNode(
    NodeId id, int number, String address, long catalogVersion, long leaseUntilMillis) {}
