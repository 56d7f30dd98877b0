/** Nodes, leases, and who is alive. Pure state; wall time is passed in. */
@NullMarked
package io.alrai.gms.topology;

import org.jspecify.annotations.NullMarked;
