/** The choice between TP and AP. */
@NullMarked
package io.alrai.optimizer.api.workload;

import org.jspecify.annotations.NullMarked;
