package io.alrai.gms.api.node;

import io.alrai.common.id.NodeId;

/**
 * A process other than a CN that follows leaders of DNs: an agent, or a column node.
 *
 * @param id its name
 * @param catalogVersion the version of the catalog that it last said it knows
 * @param leaseUntilMillis when it counts as gone unless it renews, leader's wall time
 */
public record LinkedNode(NodeId id, long catalogVersion, long leaseUntilMillis) {}
