/** The CN's ways to its DNs, and a blocking view of a branch for virtual threads. */
@NullMarked
package io.alrai.cn.shard;

import org.jspecify.annotations.NullMarked;
