/**
 * The smallest values of SQL text: how it is read, what its tokens are, names and places in it, and
 * the errors that it may have. Knows nothing else of the planner. Any thread.
 */
@NullMarked
package io.alrai.optimizer.api.text;

import org.jspecify.annotations.NullMarked;
