/**
 * A fragment at work on one node: its drivers, their state, its end. In: fragments and batches.
 * Out: batches.
 */
@NullMarked
package io.alrai.executor.task;

import org.jspecify.annotations.NullMarked;
