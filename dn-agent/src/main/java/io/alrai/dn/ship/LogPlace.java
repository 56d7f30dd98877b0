package io.alrai.dn.ship;

import io.alrai.dn.binlog.BinlogPosition;

/**
 * A place in what a DN has committed. Each leader of a group has a log of its own mysqld, whose
 * positions say nothing about another one's; but whoever is at any place of a term has all that was
 * committed in earlier ones.
 *
 * @param term of the leader whose mysqld's log it is; 0 for a DN of one replica
 */
public record LogPlace(long term, BinlogPosition position) implements Comparable<LogPlace> {
  @Override
  public int compareTo(LogPlace other) {
    return term == other.term ? position.compareTo(other.position) : Long.compare(term, other.term);
  }
}
