/** Where fragments get rows: shards, column indexes, other tasks. */
@NullMarked
package io.alrai.executor.source;

import org.jspecify.annotations.NullMarked;
