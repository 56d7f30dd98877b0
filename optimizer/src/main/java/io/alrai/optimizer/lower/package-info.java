/** Plans to executor fragments. */
@NullMarked
package io.alrai.optimizer.lower;

import org.jspecify.annotations.NullMarked;
