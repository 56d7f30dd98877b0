/**
 * Names to catalog objects, and what the statement says about where its rows are: which columns are
 * equal, which keys have given values, which tables' rows lie side by side. In: a tree and a
 * catalog. Out: facts for each query block; and before that, statements with queries in place of
 * views. One thread for each analysis.
 */
@NullMarked
package io.alrai.optimizer.bind;

import org.jspecify.annotations.NullMarked;
