/**
 * The listening socket and what is done about a client before its login: places, the PROXY
 * protocol. In: sockets. Out: connections of {@link io.alrai.cn.command}. Event loops only.
 */
@NullMarked
package io.alrai.cn.net;

import org.jspecify.annotations.NullMarked;
