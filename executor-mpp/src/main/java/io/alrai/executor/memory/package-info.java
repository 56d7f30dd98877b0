/**
 * How much memory off the heap all queries of a process, and each of them, may hold. In:
 * reservations. Out: grants, or an error that says what there was. Any thread.
 */
@NullMarked
package io.alrai.executor.memory;

import org.jspecify.annotations.NullMarked;
