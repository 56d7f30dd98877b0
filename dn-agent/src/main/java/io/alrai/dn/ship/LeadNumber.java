package io.alrai.dn.ship;

import java.util.Comparator;

/**
 * Names a lead of a DN's group; a later one is larger. A leader whose mysqld dies may lead again in
 * the same term, with a log that begins anew, so the term alone does not name it; and where a group
 * goes on with a part of its log, only the term is sure to grow.
 *
 * @param term of the group
 * @param entry the index of the entry that begins the lead, in the group's log
 */
public record LeadNumber(long term, long entry) implements Comparable<LeadNumber> {
  /** The only one of a DN of one replica. */
  public static final LeadNumber ALONE = new LeadNumber(0, 0);

  private static final Comparator<LeadNumber> ORDER =
      Comparator.comparingLong(LeadNumber::term).thenComparingLong(LeadNumber::entry);

  @Override
  public int compareTo(LeadNumber other) {
    return ORDER.compare(this, other);
  }
}
