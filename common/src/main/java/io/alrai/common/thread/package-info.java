/** Threads: as the kernel sees them, with what each is worth beside others, and how they wait. */
@NullMarked
package io.alrai.common.thread;

import org.jspecify.annotations.NullMarked;
