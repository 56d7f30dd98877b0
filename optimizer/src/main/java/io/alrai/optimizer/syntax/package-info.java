/**
 * The structure of SELECT, UPDATE, DELETE and INSERT ... SELECT: a tree whose every node knows its
 * span of the source text, so that text for the shards is made by cutting and inserting, never by
 * printing a tree again. What a node means inside (types, function arguments) is left to the mysqld
 * that runs the text. In: a statement's shape. Out: trees. Plain values; any thread.
 */
@NullMarked
package io.alrai.optimizer.syntax;

import org.jspecify.annotations.NullMarked;
