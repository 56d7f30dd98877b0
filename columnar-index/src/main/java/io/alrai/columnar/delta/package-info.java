/** Appended rows with insert and delete stamps, found by primary key. */
@NullMarked
package io.alrai.columnar.delta;

import org.jspecify.annotations.NullMarked;
