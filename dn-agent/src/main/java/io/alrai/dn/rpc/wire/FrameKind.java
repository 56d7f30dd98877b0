package io.alrai.dn.rpc.wire;

import org.jspecify.annotations.Nullable;

/** What a frame of the envelope carries. */
public enum FrameKind {
  CHALLENGE(1),
  HELLO(2),
  WELCOME(3),
  DATA(4),
  PREPARE(5),
  PRE_COMMIT(6),
  DECIDE(7),
  COMMIT_PREPARED(8),
  ROLLBACK_PREPARED(9),
  OUTCOME(10),
  HOLDS(11),
  FORGET(12),
  PUSH(13),
  OPEN_VIEW(14),
  SUBMIT_COMMIT(15),
  RESOLVE(16),
  BRANCHES(17),
  PING(18),
  ASK_MEMBER(19),
  STAMP(20),
  DONE(21),
  OUTCOME_IS(22),
  HELD(23),
  PUSHED(24),
  OPENED(25),
  SNAPSHOT_REFUSED(26),
  RESOLVED(27),
  BRANCHES_ARE(28),
  NOT_LEADER(29),
  MEMBER_IS(30),
  ERROR(31),
  CHANGE_LEADER(32),
  FOLLOW_LOG(33),
  ASK_FATE(34),
  FATE_IS(35),
  ADD_MEMBER(36),
  DROP_MEMBER(37),
  OFFER_ROWS(38),
  ROWS_OFFERED(39),
  REBUILD(40),
  PLACE(41),
  PLACE_IS(42),
  END_REBUILD(43),
  LOOK_AROUND(44),
  OUTLOOK_IS(45),
  SUSPEND(46),
  MARK(47),
  MARK_IS(48),
  PULSE_IS(49, 19);

  private static final @Nullable FrameKind[] BY_CODE = new @Nullable FrameKind[values().length + 1];

  static {
    for (FrameKind kind : values()) {
      BY_CODE[kind.code] = kind;
    }
  }

  private final int code;
  private final int since;

  /** One that version {@link EnvelopeVersions#OLDEST} has. */
  FrameKind(int code) {
    this(code, EnvelopeVersions.OLDEST);
  }

  FrameKind(int code, int since) {
    this.code = code;
    this.since = since;
  }

  /** Its byte in the header. */
  int code() {
    return code;
  }

  /** Whether a connection of this version of the envelope has it. */
  boolean isOf(int version) {
    return since <= version;
  }

  /** The kind of a byte; null when there is none. */
  static @Nullable FrameKind of(int code) {
    return code < BY_CODE.length ? BY_CODE[code] : null;
  }
}
