/**
 * The Ratis state machine: applies commands in log order, writes and reads snapshots. Runs on
 * Ratis' threads.
 */
@NullMarked
package io.alrai.gms.raft;

import org.jspecify.annotations.NullMarked;
