/**
 * Text for the shards: the client's own text with names and clauses cut out and put in, as
 * templates whose literals are filled in at execution. In: a tree and its source text. Out: SQL
 * templates. One thread for each statement.
 */
@NullMarked
package io.alrai.optimizer.shardsql;

import org.jspecify.annotations.NullMarked;
