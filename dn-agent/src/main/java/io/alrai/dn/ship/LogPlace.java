package io.alrai.dn.ship;

import io.alrai.dn.binlog.BinlogPosition;

/**
 * A place in what a DN has committed. Each lead has a log of its own, whose positions say nothing
 * about another one's; but whoever is at any place of a lead has all that was committed in earlier
 * ones.
 */
public record LogPlace(LeadNumber lead, BinlogPosition position) implements Comparable<LogPlace> {
  @Override
  public int compareTo(LogPlace other) {
    int byLead = lead.compareTo(other.lead);
    return byLead != 0 ? byLead : position.compareTo(other.position);
  }
}
