package io.alrai.dn.ship;

import io.alrai.dn.binlog.GtidSet;

/**
 * What a leader says of its log, for a member that gives it to others. It stays true whoever leads.
 *
 * @param visible all that the leader has let through: it has its last stamps
 * @param index of the last entry with a transaction, a stamp or a lead's beginning that the leader
 *     has heard of: all such entries of what is visible are there or before
 * @param place the leader's, at which all of that is let through
 */
public record Mark(GtidSet visible, long index, LogPlace place) {}
