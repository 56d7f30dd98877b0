/**
 * Partition keys to partition groups. In: a plan and its literals. Out: the group, or all of them.
 */
@NullMarked
package io.alrai.cn.route;

import org.jspecify.annotations.NullMarked;
