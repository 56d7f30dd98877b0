/**
 * The plan vocabulary: sealed records that say what runs on which shard and how the results are put
 * together. In: nothing; the planner builds them. Out: read by the executor and by EXPLAIN. Plain
 * values; any thread.
 */
@NullMarked
package io.alrai.executor.fragment;

import org.jspecify.annotations.NullMarked;
