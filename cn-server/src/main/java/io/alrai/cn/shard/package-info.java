/** Statements for shards: those of a session, and those of the CN itself, beside any session. */
@NullMarked
package io.alrai.cn.shard;

import org.jspecify.annotations.NullMarked;
