/**
 * The server side of the MySQL protocol: handshake, authentication, commands cut out of what comes,
 * and packets to the client. Event loops only.
 */
@NullMarked
package io.alrai.cn.protocol;

import org.jspecify.annotations.NullMarked;
