/** Places the tasks of a query's fragments on nodes and watches them. In: fragments. Out: tasks. */
@NullMarked
package io.alrai.executor.schedule;

import org.jspecify.annotations.NullMarked;
