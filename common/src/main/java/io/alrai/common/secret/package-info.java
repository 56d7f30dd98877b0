/**
 * Secrets: the one that only the members of a cluster know, proofs of it, certificates made from
 * it; hashes of passwords; files that only their owner can read. Any thread.
 */
@NullMarked
package io.alrai.common.secret;

import org.jspecify.annotations.NullMarked;
