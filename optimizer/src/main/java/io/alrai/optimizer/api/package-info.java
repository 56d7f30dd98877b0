/**
 * The one entry of the planner for the other modules. In: a statement and a catalog. Out: a plan of
 * executor fragments, with the reason for it.
 */
@NullMarked
package io.alrai.optimizer.api;

import org.jspecify.annotations.NullMarked;
