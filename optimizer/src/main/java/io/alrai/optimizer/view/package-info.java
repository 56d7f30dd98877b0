/** Queries in place of views, and writes through them. Stateless; any thread. */
@NullMarked
package io.alrai.optimizer.view;

import org.jspecify.annotations.NullMarked;
