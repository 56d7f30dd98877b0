/**
 * Admission of analytical queries: how many run at once, and in which order they begin. In:
 * requests with the memory that they want. Out: a permit, or a wait. Any thread.
 */
@NullMarked
package io.alrai.executor.schedule;

import org.jspecify.annotations.NullMarked;
