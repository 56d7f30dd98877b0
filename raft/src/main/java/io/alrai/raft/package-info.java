/**
 * What every Raft group of Alrai has in common, whatever its log is about: links between members
 * only, snapshots on disk, no metrics of Ratis' own, and a process that Ratis may not end.
 */
@NullMarked
package io.alrai.raft;

import org.jspecify.annotations.NullMarked;
