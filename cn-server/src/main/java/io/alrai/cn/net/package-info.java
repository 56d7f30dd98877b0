/** The listening socket, event loops, and the connection's pipeline. Event loops only. */
@NullMarked
package io.alrai.cn.net;

import org.jspecify.annotations.NullMarked;
