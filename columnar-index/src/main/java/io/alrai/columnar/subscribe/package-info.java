/** Receives a DN's log from a position. In: transactions with stamps. Out: the same, in order. */
@NullMarked
package io.alrai.columnar.subscribe;

import org.jspecify.annotations.NullMarked;
