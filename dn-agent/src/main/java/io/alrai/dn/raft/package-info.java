/**
 * The log that the members of a DN's group agree on, on Ratis. Nothing of it is at work where a DN
 * has one replica: its mysqld's own log is the log then.
 */
@NullMarked
package io.alrai.dn.raft;

import org.jspecify.annotations.NullMarked;
