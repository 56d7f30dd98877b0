/** Keeps the rows of a transaction until its stamp is known. */
@NullMarked
package io.alrai.columnar.assemble;

import org.jspecify.annotations.NullMarked;
