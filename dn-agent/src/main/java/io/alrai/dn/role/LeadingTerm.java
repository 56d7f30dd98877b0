package io.alrai.dn.role;

import io.alrai.dn.group.GroupCommits;
import io.alrai.dn.group.Reservation;
import java.util.function.BooleanSupplier;

/**
 * A lead of a member of a group: in one term, within one life of its mysqld. Made and closed by the
 * role's thread.
 */
final class LeadingTerm implements AutoCloseable {
  private final long term;
  private final long life;
  private final LeaderPart part;
  private final Lead lead;
  private final GroupCommits commits;

  /** The group does not take its commits any more. */
  private final BooleanSupplier lost;

  LeadingTerm(
      long term,
      long life,
      Member member,
      LeaderPart part,
      GroupCommits commits,
      BooleanSupplier lost) {
    this.term = term;
    this.life = life;
    this.part = part;
    this.lead = new Lead(member, part);
    this.commits = commits;
    this.lost = lost;
  }

  /** Whether it goes on while that is the member's term and its mysqld's life. */
  boolean holds(long presentTerm, long presentLife) {
    return term == presentTerm && life == presentLife && !lost.getAsBoolean();
  }

  /** In which it leads. */
  long life() {
    return life;
  }

  Lead lead() {
    return lead;
  }

  Reservation reservation() {
    return commits.reservation();
  }

  /** Nothing becomes visible by it once this returns; its connections are closed. */
  @Override
  public void close() {
    part.close();
    commits.close();
  }
}
