/**
 * The planner of statements over rows, and the front door of the planner ({@code AlraiPlanner}): a
 * statement for one place, a merge of several places, a join of rows that a CN holds, or a gather;
 * writes likewise. In: shaped statements. Out: plans. Stateless; any thread.
 */
@NullMarked
package io.alrai.optimizer.lower;

import org.jspecify.annotations.NullMarked;
