/**
 * The stream of a mysqld's binary log, received as its semi-synchronous replica. In: events over
 * the Unix socket. Out: whole transactions, in binlog order, to a {@link
 * io.alrai.dn.binlog.CommitGate}; acknowledgements back to the mysqld, on which each commit becomes
 * visible. One event loop for each stream.
 */
@NullMarked
package io.alrai.dn.binlog;

import org.jspecify.annotations.NullMarked;
