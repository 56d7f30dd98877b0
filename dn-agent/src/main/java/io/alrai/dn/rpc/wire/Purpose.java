package io.alrai.dn.rpc.wire;

import io.alrai.dn.link.BackendAccount;
import org.jspecify.annotations.Nullable;

/** What a connection is for. */
public enum Purpose {
  CONTROL(0, null),
  DATA(1, BackendAccount.DATA),
  DATA_FOUND_ROWS(2, BackendAccount.DATA_FOUND_ROWS),
  SHADOW(3, BackendAccount.SHADOW),
  NAMED_LOCKS(4, BackendAccount.NAMED_LOCKS),
  LOG(5, null),
  TEMPORARY(6, BackendAccount.TEMPORARY),
  TEMPORARY_FOUND_ROWS(7, BackendAccount.TEMPORARY_FOUND_ROWS),
  DDL(8, BackendAccount.DDL),
  KILL(9, BackendAccount.KILL),
  ADMIN(10, BackendAccount.ADMIN),
  /** What the agent is and does as a member, whether it leads or not. */
  MEMBER(11, null),
  /** Bytes to and from a member's mysqld, whether it leads or not. */
  ROWS(12, null),
  /** Reads of the mysqld of a member that follows. */
  REPLICA(13, BackendAccount.DATA),
  /** What a group has committed, from a voter to one who learns from it. */
  LEARN(14, null),
  /** Questions about replies that the leader keeps. */
  KEPT(15, null),
  /** The DN's log, from a member that follows. */
  FEED(16, null),
  /** Questions of nodes to each other, which the leader passes on. */
  ASK(17, null);

  private final int code;
  private final @Nullable BackendAccount account;

  Purpose(int code, @Nullable BackendAccount account) {
    this.code = code;
    this.account = account;
  }

  /** Whether it is answered by any member, and not by the leader only. */
  public boolean ofMember() {
    return this == MEMBER || this == ROWS || this == REPLICA || this == LEARN || this == FEED;
  }

  /**
   * As {@link #ofMember}.
   *
   * @param over whether the member's group goes on without it: then it says how it is, and no more
   */
  public boolean ofMember(boolean over) {
    return over ? this == MEMBER : ofMember();
  }

  /** Its byte in HELLO. */
  int code() {
    return code;
  }

  /** The account of a branch; null for what is none. */
  public @Nullable BackendAccount account() {
    return account;
  }

  /** A branch under an account. */
  public static Purpose of(BackendAccount account) {
    return switch (account) {
      case DATA -> DATA;
      case DATA_FOUND_ROWS -> DATA_FOUND_ROWS;
      case SHADOW -> SHADOW;
      case NAMED_LOCKS -> NAMED_LOCKS;
      case TEMPORARY -> TEMPORARY;
      case TEMPORARY_FOUND_ROWS -> TEMPORARY_FOUND_ROWS;
      case KILL -> KILL;
      case DDL -> DDL;
      case ADMIN -> ADMIN;
      case AGENT -> throw new IllegalArgumentException("the agent's account is its own");
    };
  }

  /** Reads the byte. */
  public static Purpose of(int code) {
    for (Purpose purpose : values()) {
      if (purpose.code == code) {
        return purpose;
      }
    }
    throw Envelope.malformed("purpose " + code);
  }
}
