/**
 * Plans of queries that one place answers, or several whose rows are merged. Stateless; any thread.
 */
@NullMarked
package io.alrai.optimizer.route.select;

import org.jspecify.annotations.NullMarked;
