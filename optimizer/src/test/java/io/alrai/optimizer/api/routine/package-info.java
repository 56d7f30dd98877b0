/** Tests of the reading of procedures. */
@NullMarked
package io.alrai.optimizer.api.routine;

import org.jspecify.annotations.NullMarked;
