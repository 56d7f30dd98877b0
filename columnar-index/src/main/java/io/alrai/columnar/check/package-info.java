/** Compares an index with its row store at one snapshot. */
@NullMarked
package io.alrai.columnar.check;

import org.jspecify.annotations.NullMarked;
