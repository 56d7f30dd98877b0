/**
 * The listening socket and the first steps of a connection: places, the PROXY protocol, cutting
 * bytes into commands. In: sockets. Out: commands. Event loops only.
 */
@NullMarked
package io.alrai.cn.net;

import org.jspecify.annotations.NullMarked;
