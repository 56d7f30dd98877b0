/**
 * Binds a SELECT to a relational tree of Calcite's, with MySQL's types, and refuses what MySQL
 * computes otherwise than the executor does. In: a statement's syntax tree and the catalog. Out: a
 * tree for the rules. One thread for each statement.
 */
@NullMarked
package io.alrai.optimizer.logical;

import org.jspecify.annotations.NullMarked;
