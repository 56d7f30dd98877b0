/**
 * Threads as the kernel sees them. In: the importance of a thread. Out: its priority in the kernel.
 * Platform threads only.
 */
@NullMarked
package io.alrai.common.thread;

import org.jspecify.annotations.NullMarked;
