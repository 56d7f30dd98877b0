/**
 * The DN's log, given by a member that follows to column nodes (docs/design/0087). In: its group's
 * log, and the leader's marks, which say what of that is visible. Out: what the leader's own feed
 * has, in the order of the log, once, with its last stamps. Each reader has a thread. Which member
 * a reader asks is chosen at the reader.
 */
@NullMarked
package io.alrai.dn.feed;

import org.jspecify.annotations.NullMarked;
