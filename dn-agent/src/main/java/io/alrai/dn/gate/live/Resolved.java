package io.alrai.dn.gate.live;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogPosition;

/**
 * How far a DN's commits are complete.
 *
 * @param at what is committed at or below it ends at or before the position, and nothing else does
 *     so from now on
 * @param through of the DN's log; everything up to there has been let through
 */
public record Resolved(HlcTimestamp at, BinlogPosition through) {}
