/**
 * What the members of a cluster know and nobody else does: the secret, proofs that somebody knows
 * it, certificates that it vouches for, and files that only their owner reads.
 */
@NullMarked
package io.alrai.common.secret;

import org.jspecify.annotations.NullMarked;
