/**
 * The sealed commands of the replicated log, the questions to the leader, and how both are encoded.
 * Plain values; any thread.
 */
@NullMarked
package io.alrai.gms.command;

import org.jspecify.annotations.NullMarked;
