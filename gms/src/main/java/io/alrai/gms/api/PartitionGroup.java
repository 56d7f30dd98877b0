package io.alrai.gms.api;

import io.alrai.common.id.DnId;
import io.alrai.common.id.PhysicalSchema;

/**
 * The partitions of one number of all tables of a table group: one physical schema on one DN.
 *
 * @param index 0 to count-1 within the table group
 * @param physicalSchema for example {@code a17_p00003}; unique in the cluster
 * @param dn where it lives; for a broadcast table group any DN serves reads and this is the first
 */
public record PartitionGroup(int index, PhysicalSchema physicalSchema, DnId dn) {}
