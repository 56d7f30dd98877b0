/**
 * One client's connection: a handler for each COM_*, the dispatch of statements, and the forwarding
 * of those that one place answers. In: commands. Out: replies on their way. Event loops; a session
 * is lent to a virtual thread for what may block.
 */
@NullMarked
package io.alrai.cn.command;

import org.jspecify.annotations.NullMarked;
