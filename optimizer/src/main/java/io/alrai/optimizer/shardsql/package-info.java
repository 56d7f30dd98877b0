/**
 * Plans back to MySQL text for the shards: templates whose literals are filled in at execution. In:
 * bound statements. Out: shard statement templates.
 */
@NullMarked
package io.alrai.optimizer.shardsql;

import org.jspecify.annotations.NullMarked;
