/**
 * Changes of rows as they come out of a DN's log, decoded: what the column index is fed with. In:
 * nothing. Out: plain values. Written by one thread, then immutable and for any thread.
 */
@NullMarked
package io.alrai.common.changelog;

import org.jspecify.annotations.NullMarked;
