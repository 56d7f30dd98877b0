/** Names to catalog objects, columns to types. In: a tree and a catalog. Out: a bound statement. */
@NullMarked
package io.alrai.optimizer.bind;

import org.jspecify.annotations.NullMarked;
