/** Tests of the reading of procedures. */
@NullMarked
package io.alrai.optimizer.routine;

import org.jspecify.annotations.NullMarked;
