/**
 * Rewrites of the analytical planner's trees, and the order in which {@code Optimizer} applies
 * them. In: trees as they were written. Out: trees with equal rows that cost less. One thread for
 * each statement.
 */
@NullMarked
package io.alrai.optimizer.rule;

import org.jspecify.annotations.NullMarked;
