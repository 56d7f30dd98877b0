/**
 * How CNs and agents use the GMS: calls to the leader, and a copy of the catalog that follows it.
 * In: changes from the leader. Out: an immutable catalog, replaced as a whole. Any thread.
 */
@NullMarked
package io.alrai.gms.client;

import org.jspecify.annotations.NullMarked;
