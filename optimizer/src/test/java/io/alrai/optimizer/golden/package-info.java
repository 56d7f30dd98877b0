/** Golden plans. */
@NullMarked
package io.alrai.optimizer.golden;

import org.jspecify.annotations.NullMarked;
