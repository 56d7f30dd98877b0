/**
 * How a client's statement ends before its work is done: by KILL QUERY, or as its time has come.
 * What is at work is known to the client's connection, which is asked to end it; here is when that
 * is tried, and again. Runs on the client's event loop.
 */
@NullMarked
package io.alrai.cn.ending;

import org.jspecify.annotations.NullMarked;
