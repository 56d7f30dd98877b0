package io.alrai.dn.ship;

import io.alrai.common.time.HlcTimestamp;

/**
 * How far a DN's commits are complete.
 *
 * @param at what is committed at or below it ends at or before the place, and nothing else does so
 *     from now on
 * @param through everything up to there has been let through
 */
public record ResolvedPlace(HlcTimestamp at, LogPlace through) {}
