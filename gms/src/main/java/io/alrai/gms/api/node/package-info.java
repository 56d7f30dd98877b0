/**
 * The nodes of a cluster as the GMS knows them: those of the GMS itself, CNs, DNs with their
 * members, and column nodes. Plain values; any thread.
 */
@NullMarked
package io.alrai.gms.api.node;

import org.jspecify.annotations.NullMarked;
