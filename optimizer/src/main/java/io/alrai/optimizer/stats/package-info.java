/** Row counts, distinct values and histograms of the catalog as the cost model reads them. */
@NullMarked
package io.alrai.optimizer.stats;

import org.jspecify.annotations.NullMarked;
