package io.alrai.dn.ship;

import io.alrai.dn.binlog.BinlogPosition;

/**
 * A place in what a DN has committed. Each leader of a group has a log of its own mysqld, whose
 * positions say nothing about another one's; but whoever is at any place of a lead has all that was
 * committed in earlier ones. A leader whose mysqld dies may lead again in the same term, with a log
 * that begins anew: so a lead is named by the entry that begins it.
 *
 * @param lead the index of that entry in the group's log; 0 for a DN of one replica
 */
public record LogPlace(long lead, BinlogPosition position) implements Comparable<LogPlace> {
  @Override
  public int compareTo(LogPlace other) {
    return lead == other.lead ? position.compareTo(other.position) : Long.compare(lead, other.lead);
  }
}
