/**
 * What a process offers of its column indexes to those who plan and run queries. In: a table's name
 * and a timestamp. Out: the table's partitions as of then. Interfaces only; any thread.
 */
@NullMarked
package io.alrai.columnar.serve;

import org.jspecify.annotations.NullMarked;
