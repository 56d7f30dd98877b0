/** Immutable row groups in Arrow memory. */
@NullMarked
package io.alrai.columnar.segment;

import org.jspecify.annotations.NullMarked;
