package io.alrai.gms.api.node;

/**
 * A member of a DN of several replicas.
 *
 * @param name unique within its DN
 * @param address {@code host:port} of its agent; of one with the log only its place in its group
 * @param keeps what it has
 */
public record DnMember(String name, String address, Keeps keeps) {
  /** What a member keeps. */
  public enum Keeps {
    /** The rows and the log: it may lead. */
    ROWS,
    /** The log only. */
    LOG,
    /** The rows, without a vote: it learns what the others commit, and never leads. */
    LEARNER
  }
}
