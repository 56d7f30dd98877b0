/**
 * Rows for which a query has no memory, on disk: files that are gone with their process, pieces of
 * them, rows cut by their hashes, rows in order. In: rows in memory. Out: pieces that can be read
 * again. Threads of tasks, several at once.
 */
@NullMarked
package io.alrai.executor.spill;

import org.jspecify.annotations.NullMarked;
