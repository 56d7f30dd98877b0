/**
 * A node: CN and agent of one machine, and what else it has, in one process. The CN reaches the
 * mysqld beside it without a way while it may, and all others by the envelope.
 */
@NullMarked
package io.alrai.cn.node;

import org.jspecify.annotations.NullMarked;
