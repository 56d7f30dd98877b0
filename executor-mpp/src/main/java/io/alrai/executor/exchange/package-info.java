/**
 * Moves batches between tasks: by reference inside a process, by Arrow Flight between processes.
 */
@NullMarked
package io.alrai.executor.exchange;

import org.jspecify.annotations.NullMarked;
