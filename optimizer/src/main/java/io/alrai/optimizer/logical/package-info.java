/**
 * The relational tree before any choice of place. In: bound statements. Out: trees for the rules.
 */
@NullMarked
package io.alrai.optimizer.logical;

import org.jspecify.annotations.NullMarked;
