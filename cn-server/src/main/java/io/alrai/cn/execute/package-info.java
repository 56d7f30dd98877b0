/**
 * Runs plans: pass-through on the event loop; scatter, merge, gather and multi-shard DML on virtual
 * threads.
 */
@NullMarked
package io.alrai.cn.execute;

import org.jspecify.annotations.NullMarked;
