/** Clusters whose processes go from one release to the next, one after the other, under load. */
@NullMarked
package io.alrai.e2e.upgrade;

import org.jspecify.annotations.NullMarked;
