/**
 * The log of slow statements. An event loop that sees the end of one notes what is known of it;
 * notes wait in a bounded queue for a virtual thread, which writes the file in MySQL's format
 * ({@link io.alrai.cn.slowlog.SlowLogFormat}, {@link io.alrai.cn.slowlog.SlowLogFile}) and keeps
 * the last ones as rows of mysql.slow_log. What finds no room, or cannot be written, is counted and
 * left out: no statement waits for its log.
 */
@NullMarked
package io.alrai.cn.slowlog;

import org.jspecify.annotations.NullMarked;
