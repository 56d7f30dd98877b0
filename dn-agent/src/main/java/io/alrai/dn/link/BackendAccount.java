package io.alrai.dn.link;

/** The agent's accounts at its mysqld. */
public enum BackendAccount {
  /** Statements over partition groups; no rights on the mysqld as a whole. */
  DATA,
  /**
   * As DATA, for clients with CLIENT_FOUND_ROWS, which is fixed at login: UPDATE counts matches.
   */
  DATA_FOUND_ROWS,
  /** As DATA, for connections that hold named locks; they have a bound of their own. */
  NAMED_LOCKS,
  /** As DATA, for connections that keep temporary tables; they have a bound of their own. */
  TEMPORARY,
  /** As DATA_FOUND_ROWS, for connections that keep temporary tables. */
  TEMPORARY_FOUND_ROWS,
  /** Sees the shadow schemas only: SHOW, information_schema. */
  SHADOW,
  /** Definitions, and what they copy and grant. */
  DDL,
  /** Global variables, triggers, functions and procedures. */
  ADMIN,
  /** The agent's own work. No other node can use it, and no text of a client runs under it. */
  AGENT,
  /**
   * KILL of what the others run, and nothing else. It has SUPER so that a mysqld checks no other
   * privilege: to check another one it takes its lock of accounts while it holds the victim's lock,
   * and a victim that changes accounts holds the former and waits for the latter. Then nobody could
   * log in.
   */
  KILL;

  /** Which connections share a bound. */
  public enum Family {
    /** For a statement or a transaction. */
    WORK,
    /** A session's while it waits for a named lock or has one. */
    NAMED_LOCKS,
    /** A session's while it has temporary tables. */
    TEMPORARY,
    /** For a KILL, which must not wait for what it is to end. */
    KILLS
  }

  /** The family that its connections are bounded with. */
  public Family family() {
    return switch (this) {
      case DATA, DATA_FOUND_ROWS, SHADOW, DDL, ADMIN, AGENT -> Family.WORK;
      case NAMED_LOCKS -> Family.NAMED_LOCKS;
      case TEMPORARY, TEMPORARY_FOUND_ROWS -> Family.TEMPORARY;
      case KILL -> Family.KILLS;
    };
  }

  /** Whether statements of clients run there. */
  public boolean ofClients() {
    return switch (this) {
      case DATA, DATA_FOUND_ROWS, NAMED_LOCKS, TEMPORARY, TEMPORARY_FOUND_ROWS, SHADOW -> true;
      case DDL, ADMIN, AGENT, KILL -> false;
    };
  }

  /** Whether its connections may write, in XA transactions too. */
  public boolean writes() {
    return this != SHADOW && this != KILL;
  }

  /**
   * Whether texts of Alrai's own have several statements there from the start: what begins and ends
   * transactions, and the agent's.
   */
  public boolean takesSeveral() {
    return switch (this) {
      case DATA, DATA_FOUND_ROWS, TEMPORARY, TEMPORARY_FOUND_ROWS, AGENT -> true;
      case NAMED_LOCKS, SHADOW, DDL, ADMIN, KILL -> false;
    };
  }

  /** Whether UPDATE counts matches. */
  public boolean foundRows() {
    return this == DATA_FOUND_ROWS || this == TEMPORARY_FOUND_ROWS;
  }
}
