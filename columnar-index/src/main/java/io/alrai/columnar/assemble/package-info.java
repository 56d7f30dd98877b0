/**
 * Keeps the rows of a transaction until its stamp is known. In: records of a DN's log. Out: whole
 * transactions with their stamps, in the order in which they became visible. On the feed's thread.
 */
@NullMarked
package io.alrai.columnar.assemble;

import org.jspecify.annotations.NullMarked;
