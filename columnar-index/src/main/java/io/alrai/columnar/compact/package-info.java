/** Merges delta into segments without blocking readers or the feed. */
@NullMarked
package io.alrai.columnar.compact;

import org.jspecify.annotations.NullMarked;
