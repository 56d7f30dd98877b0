/** Reads a table partition at a timestamp as Arrow batches. */
@NullMarked
package io.alrai.columnar.scan;

import org.jspecify.annotations.NullMarked;
