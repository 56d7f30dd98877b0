package io.alrai.executor.fragment;

import io.alrai.common.id.DnId;
import io.alrai.common.id.PhysicalSchema;

/**
 * One partition group as a statement's target.
 *
 * @param index its number within the table group, from 0
 * @param physicalSchema the current schema under which a statement pinned here runs
 * @param dn where it lives
 */
public record ShardPlace(int index, PhysicalSchema physicalSchema, DnId dn) {}
