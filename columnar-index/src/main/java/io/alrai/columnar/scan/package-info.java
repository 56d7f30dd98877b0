/**
 * The contract of reading a table's partition at a timestamp: what columns look like in memory, and
 * cursors over batches of them. In: a timestamp, columns, a filter of row groups. Out: batches of
 * up to 64 Ki rows. A leaf: the column store implements it, and the executor reads it.
 */
@NullMarked
package io.alrai.columnar.scan;

import org.jspecify.annotations.NullMarked;
