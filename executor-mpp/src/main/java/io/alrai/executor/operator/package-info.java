/**
 * Operators over rows of the MySQL text protocol: merge, join, aggregate, distinct, limit. In: row
 * streams of the shards. Out: one row stream. One virtual thread per query; no I/O of their own.
 */
@NullMarked
package io.alrai.executor.operator;

import org.jspecify.annotations.NullMarked;
