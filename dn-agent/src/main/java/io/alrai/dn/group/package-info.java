/**
 * What a group does above its log: transactions in entries, and out of them again. In come the
 * commits of a leader's gate; out come committed transactions, in order, at every member. On the
 * gate's loop where something is appended, any thread where it is read.
 */
@NullMarked
package io.alrai.dn.group;

import org.jspecify.annotations.NullMarked;
