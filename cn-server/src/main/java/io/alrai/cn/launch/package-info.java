/**
 * What {@code up} starts: a process for each role, kept alive, found again and stopped in order.
 */
@NullMarked
package io.alrai.cn.launch;

import org.jspecify.annotations.NullMarked;
