/**
 * The planner's interface for the other modules, with the records of administrative statements and
 * DDL. In: a statement and a catalog. Out: a plan of executor fragments, or a parsed statement that
 * the CN runs by itself.
 */
@NullMarked
package io.alrai.optimizer.api;

import org.jspecify.annotations.NullMarked;
