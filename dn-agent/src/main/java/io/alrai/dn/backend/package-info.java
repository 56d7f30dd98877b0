/**
 * The agent's own connections to its mysqld: login, pipelining, framing of replies, pools per event
 * loop. Event loops only.
 */
@NullMarked
package io.alrai.dn.backend;

import org.jspecify.annotations.NullMarked;
