/** What a tree is expected to take of CPU, memory, I/O and network. */
@NullMarked
package io.alrai.optimizer.cost;

import org.jspecify.annotations.NullMarked;
