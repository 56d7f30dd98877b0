/**
 * Row counts, distinct values and histograms as the cost model reads them. In: what others learn of
 * tables. Out: plain values; any thread.
 */
@NullMarked
package io.alrai.optimizer.api.stats;

import org.jspecify.annotations.NullMarked;
