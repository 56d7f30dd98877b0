/**
 * EXPLAIN of statements over rows: the plan of the partition's mysqld where one place runs the
 * statement; else the steps of the CN, and below each what a mysqld plans for its text in one of
 * the partitions. In: a plan and the client's EXPLAIN. Out: rows in the format that it asks for.
 * Virtual threads.
 */
@NullMarked
package io.alrai.cn.explain;

import org.jspecify.annotations.NullMarked;
