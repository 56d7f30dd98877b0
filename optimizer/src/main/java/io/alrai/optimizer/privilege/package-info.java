/**
 * From a statement to the privileges that it needs. In: a shape and a catalog, which tells views
 * from tables and whose column a name is. Out: {@link io.alrai.optimizer.api.Needs}, kept beside
 * the plan and checked by the CN for each execution. Pure; any thread.
 */
@NullMarked
package io.alrai.optimizer.privilege;

import org.jspecify.annotations.NullMarked;
