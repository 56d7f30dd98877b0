/**
 * The contract of reading a table's partition at a timestamp: what columns look like in memory, and
 * cursors over batches of them. In: a timestamp, columns, a filter of row groups. Out: batches of
 * up to 64 Ki rows. A leaf: who stores columns implements it, who computes reads it.
 */
@NullMarked
package io.alrai.columnar.scan;

import org.jspecify.annotations.NullMarked;
