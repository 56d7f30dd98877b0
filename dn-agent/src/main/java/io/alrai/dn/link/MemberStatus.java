package io.alrai.dn.link;

import java.util.List;

/**
 * What a member of a DN says of itself.
 *
 * @param name unique within its DN
 * @param state what it does, in one word
 * @param leads whether its mysqld takes writes
 * @param term of its group in which it leads; 0 where it does not
 * @param committed the last entry of the group's log that it has heard of; -1 for none
 * @param unapplied transactions that are committed there and that its mysqld has not applied; -1
 *     where the mysqld does not answer, or nobody knows it yet
 * @param lagMillis how old the oldest of those is; 0 where there is none
 * @param error why its mysqld does not go on, or must not lead; of one that leads what is amiss all
 *     the same; empty where all is well
 * @param logAddress where its group's log finds it; empty where it has none
 * @param voters what it knows of the others, where it leads
 * @param cloning what it gets of its rows from another member
 */
public record MemberStatus(
    String name,
    String state,
    boolean leads,
    long term,
    long committed,
    long unapplied,
    long lagMillis,
    String error,
    String logAddress,
    List<Voter> voters,
    Cloning cloning) {
  /** The state of a member that applies its group's log. */
  public static final String FOLLOWING = "FOLLOWING";

  /** The state of a learner that waits to be added. */
  public static final String JOINING = "JOINING";

  /** The state of one that was dropped, and does not come back. */
  public static final String DROPPED = "DROPPED";

  /** The state of a learner that has what its group has not. */
  public static final String ERRANT = "ERRANT";

  /** {@link #unapplied} of one of which it is not known. */
  public static final long UNKNOWN = -1;

  public MemberStatus {
    voters = List.copyOf(voters);
  }

  /**
   * Another voter of the group.
   *
   * @param keepsRows whether it has a mysqld, and can lead
   * @param silentMillis for how long it has not answered the leader
   */
  public record Voter(String name, boolean keepsRows, long silentMillis) {}

  /**
   * How far a member has come with a clone of another one.
   *
   * @param asked whether somebody has asked for it who has not got it yet
   * @param kept how many were made and kept since the start of its agent
   * @param donor who is cloned; empty while nobody is
   * @param bytes copied so far
   * @param estimate of all
   */
  public record Cloning(boolean asked, int kept, String donor, long bytes, long estimate) {
    /** It needs nobody's rows. */
    public static final Cloning NONE = new Cloning(false, 0, "", 0, 0);
  }

  /** Returns this status with another error. */
  public MemberStatus with(String found) {
    return new MemberStatus(
        name,
        state,
        leads,
        term,
        committed,
        unapplied,
        lagMillis,
        found,
        logAddress,
        voters,
        cloning);
  }

  /** The only replica of a DN. */
  public static MemberStatus alone(String name) {
    return new MemberStatus(
        name, "LEADING", true, 0, UNKNOWN, 0, 0, "", "", List.of(), Cloning.NONE);
  }
}
