/**
 * Waits for a place, without a thread. In: a session whose statement is about to begin, and a queue
 * that has places. Out: a place, or an error after a while. Event loops.
 */
@NullMarked
package io.alrai.cn.turn;

import org.jspecify.annotations.NullMarked;
