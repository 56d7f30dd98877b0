/**
 * What a CN sees of a DN: branches, that is mysqld connections with their state, in memory inside
 * one process or by the envelope between processes. A branch belongs to one event loop.
 */
@NullMarked
package io.alrai.dn.link;

import org.jspecify.annotations.NullMarked;
