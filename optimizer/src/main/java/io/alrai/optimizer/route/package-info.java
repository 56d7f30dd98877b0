/**
 * Where a statement's rows are and what is sent there: what the planners of all kinds of statements
 * share. Stateless; any thread.
 */
@NullMarked
package io.alrai.optimizer.route;

import org.jspecify.annotations.NullMarked;
