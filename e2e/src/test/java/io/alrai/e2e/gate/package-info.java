/** What readers may see of transactions over several DNs, on real clusters and under faults. */
@NullMarked
package io.alrai.e2e.gate;

import org.jspecify.annotations.NullMarked;
