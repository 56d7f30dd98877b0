/**
 * The parts of forwarding a statement to the mysqld of one shard that know no session: the states
 * of a forward and how texts and packets are sent. The session's side is in {@code cn.command}.
 * Event loop of the client's connection.
 */
@NullMarked
package io.alrai.cn.forward;

import org.jspecify.annotations.NullMarked;
