/**
 * Rewrites of the analytical planner's trees: a {@code Rule} says which nodes it is for, why, and
 * what it makes of one; {@code RuleWalk} goes through trees and applies them. {@code Optimizer} has
 * their order. In: trees as they were written. Out: trees with equal rows that cost less. One
 * thread for each statement.
 */
@NullMarked
package io.alrai.optimizer.rule;

import org.jspecify.annotations.NullMarked;
