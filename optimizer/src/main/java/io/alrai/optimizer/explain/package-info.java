/** Plans as text a DBA reads at a glance. */
@NullMarked
package io.alrai.optimizer.explain;

import org.jspecify.annotations.NullMarked;
