/**
 * Plans as text a DBA reads at a glance: EXPLAIN SHARDING. In: plan records. Out: lines. Pure; any
 * thread.
 */
@NullMarked
package io.alrai.optimizer.api.explain;

import org.jspecify.annotations.NullMarked;
