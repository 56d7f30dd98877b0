/**
 * The agent's connections to its mysqld: login, pipelined commands, framing of replies, pools for
 * each event loop and account. In: commands. Out: packets of replies. Event loops only.
 */
@NullMarked
package io.alrai.dn.backend;

import org.jspecify.annotations.NullMarked;
