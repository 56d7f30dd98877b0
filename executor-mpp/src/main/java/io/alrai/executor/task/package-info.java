/**
 * One analytical query at work: its plan cut into stages, each stage as tasks of several workers,
 * in memory or with rows on disk. In: a plan, its tables, a snapshot and a memory budget. Out: the
 * rows of the result. Tasks run on the threads of the scheduler.
 */
@NullMarked
package io.alrai.executor.task;

import org.jspecify.annotations.NullMarked;
