/**
 * Immutable row groups of up to 64 Ki rows, off the heap. In: rows. Out: vectors as narrow as their
 * values allow, strings as codes where that pays, zones. Built by one thread, read by any; every
 * byte is counted in a budget.
 */
@NullMarked
package io.alrai.columnar.segment;

import org.jspecify.annotations.NullMarked;
