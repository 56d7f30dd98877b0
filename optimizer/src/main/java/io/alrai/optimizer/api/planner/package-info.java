/** The front door of the planner: one statement in, one plan out. Any thread. */
@NullMarked
package io.alrai.optimizer.api.planner;

import org.jspecify.annotations.NullMarked;
