/**
 * HANDLER: tables that a session reads by an index, row after row. In: a HANDLER statement. Each
 * READ becomes a SELECT of the rows after a place in the index's order, which takes the way of the
 * session's own statements; so routing, merging, transactions and privileges are theirs. Out: its
 * rows, and the place of the last one for the next READ. On the virtual thread that the session is
 * lent to.
 */
@NullMarked
package io.alrai.cn.handler;

import org.jspecify.annotations.NullMarked;
