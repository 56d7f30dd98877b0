/**
 * Deadlocks over several DNs, which no mysqld sees. In: the mysqlds' lock waits, read only while a
 * transaction of this CN with branches on several DNs waits. Out: error 1213 for the youngest of
 * such transactions in a cycle, if it is this CN's; every CN does so for its own. A virtual thread.
 */
@NullMarked
package io.alrai.cn.deadlock;

import org.jspecify.annotations.NullMarked;
