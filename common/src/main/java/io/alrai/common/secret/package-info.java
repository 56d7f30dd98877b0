/**
 * What the members of a cluster know and nobody else does: the secret, proofs of it, certificates
 * made from it; hashes of passwords; files that only their owner reads. Any thread.
 */
@NullMarked
package io.alrai.common.secret;

import org.jspecify.annotations.NullMarked;
