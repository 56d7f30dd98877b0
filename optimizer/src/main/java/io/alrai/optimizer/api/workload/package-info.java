/**
 * Chooses the store that answers a SELECT, rows (TP) or columns (AP), with the reason. In: a plan's
 * cost, hints and variables. Out: the choice. Any thread.
 */
@NullMarked
package io.alrai.optimizer.api.workload;

import org.jspecify.annotations.NullMarked;
