/**
 * The nodes of the cluster, their leases, and the locks over all of it. Pure state; wall time is
 * passed in.
 */
@NullMarked
package io.alrai.gms.topology;

import org.jspecify.annotations.NullMarked;
