/** A session's transaction: begins branches, opens views, commits or rolls back. Event loop. */
@NullMarked
package io.alrai.cn.tx;

import org.jspecify.annotations.NullMarked;
