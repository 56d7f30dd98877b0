/**
 * Where a query gets rows from: column indexes, and the shards. Interfaces only, which the CN
 * implements.
 */
@NullMarked
package io.alrai.executor.source;

import org.jspecify.annotations.NullMarked;
