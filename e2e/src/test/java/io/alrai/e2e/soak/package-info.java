/**
 * A cluster among clients that vanish, stall and trickle at random points of every kind of
 * statement, and servers that die meanwhile. {@link io.alrai.e2e.soak.HostileClient}s do it through
 * a {@link io.alrai.e2e.soak.HostileLine}; {@link io.alrai.e2e.soak.Witness}es work beside them,
 * know what each of their answers must be, and must not notice.
 */
@NullMarked
package io.alrai.e2e.soak;

import org.jspecify.annotations.NullMarked;
