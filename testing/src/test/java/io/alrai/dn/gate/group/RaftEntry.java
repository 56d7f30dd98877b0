package io.alrai.dn.gate.group;

import org.jspecify.annotations.Nullable;

/**
 * One place of a group's log.
 *
 * @param entry null for the first one of each leader
 */
record RaftEntry<E>(long term, @Nullable E entry) {}
