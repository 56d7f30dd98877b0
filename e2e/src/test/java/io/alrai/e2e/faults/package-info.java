/** Clusters in processes of their own that are killed, crowded and starved. */
@NullMarked
package io.alrai.e2e.faults;

import org.jspecify.annotations.NullMarked;
