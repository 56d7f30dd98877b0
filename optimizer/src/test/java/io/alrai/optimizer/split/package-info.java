/** The choice between TP and AP. */
@NullMarked
package io.alrai.optimizer.split;

import org.jspecify.annotations.NullMarked;
