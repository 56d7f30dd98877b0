/**
 * Threads as the kernel sees them. In: what a thread is worth beside others. Out: its priority
 * there. Platform threads only.
 */
@NullMarked
package io.alrai.common.thread;

import org.jspecify.annotations.NullMarked;
