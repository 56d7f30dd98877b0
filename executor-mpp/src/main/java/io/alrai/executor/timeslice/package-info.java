/**
 * Gives the processor to drivers in slices and keeps blocked ones out of the run queue. In:
 * drivers. Out: their next slice.
 */
@NullMarked
package io.alrai.executor.timeslice;

import org.jspecify.annotations.NullMarked;
