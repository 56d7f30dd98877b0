/**
 * Changes of rows, decoded from a DN's log: the input of column indexes. In: nothing. Out: plain
 * values. Written by one thread, then immutable and for any thread.
 */
@NullMarked
package io.alrai.common.changelog;

import org.jspecify.annotations.NullMarked;
