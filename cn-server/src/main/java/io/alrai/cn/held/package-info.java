/**
 * What a session holds beyond its transactions: GET_LOCK, LOCK TABLES, the connection of its
 * temporary tables. Event loop of the session.
 */
@NullMarked
package io.alrai.cn.held;

import org.jspecify.annotations.NullMarked;
