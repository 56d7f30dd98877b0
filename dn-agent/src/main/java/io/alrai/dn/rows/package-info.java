/**
 * Keeps replies to reads of one table until a commit touches a row that they may depend on. In:
 * replies, and the keys that the log touches. Out: replies. Any thread; the log's side on the
 * gate's loop.
 */
@NullMarked
package io.alrai.dn.rows;

import org.jspecify.annotations.NullMarked;
