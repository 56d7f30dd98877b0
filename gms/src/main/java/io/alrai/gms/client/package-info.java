/**
 * The CNs' and agents' watched copy of the catalog. In: versions from the leader. Out: an immutable
 * catalog, replaced whole.
 */
@NullMarked
package io.alrai.gms.client;

import org.jspecify.annotations.NullMarked;
