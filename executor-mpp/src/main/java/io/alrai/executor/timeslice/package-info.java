/**
 * Shares a few threads among the tasks of all queries, in slices, and holds these back while
 * transactions need the processors. In: tasks. Out: their next slice. Time is passed in.
 */
@NullMarked
package io.alrai.executor.timeslice;

import org.jspecify.annotations.NullMarked;
