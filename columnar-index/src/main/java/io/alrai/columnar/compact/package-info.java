/**
 * Merges delta into segments without blocking readers or the feed. In: partitions and how far their
 * stream is resolved. Out: the same partitions with larger, denser row groups. One background
 * thread.
 */
@NullMarked
package io.alrai.columnar.compact;

import org.jspecify.annotations.NullMarked;
