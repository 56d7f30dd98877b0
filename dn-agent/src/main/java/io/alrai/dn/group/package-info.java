/**
 * What a group does above its log: transactions in entries, out of them again, and into the
 * member's mysqld ({@link io.alrai.dn.group.ReplicaFeeder}). In come the commits of a leader's
 * gate; out come committed transactions, in order, at every member. On the gate's loop where
 * something is appended, any thread where it is read.
 */
@NullMarked
package io.alrai.dn.group;

import org.jspecify.annotations.NullMarked;
