package io.alrai.dn.rpc.wire;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.netty.buffer.ByteBuf;

/**
 * The envelope between a CN (or another agent) and an agent, over TCP. A connection is either one
 * branch, with its own connection to the mysqld behind the agent, or a control connection for
 * messages that belong to no branch, or brings the DN's log as DATA, see {@link LogRecords}, or
 * asks for kept replies, see {@link KeptRecords}, or other nodes, see {@link
 * io.alrai.dn.ask.AskExchange}, or relays what two mysqlds say to each other as DATA, in which
 * neither says the time. Both directions carry frames. Which of them, and how they are laid out, is
 * the affair of the connection's version, see {@link EnvelopeVersions}. Numbers are big-endian.
 *
 * <pre>
 *  0                   4      5       6            8                   12
 * +-------------------+------+-------+------------+-------------------+
 * | payload length    | kind | flags | reserved   | call              |
 * +-------------------+------+-------+------------+-------------------+
 * | clock: the sender's HLC timestamp when it sent the frame          |  12 .. 20
 * +-------------------------------------------------------------------+
 * | stamp: 64 bits of HLC, or 0 for none                              |  20 .. 28
 * +-------------------------------------------------------------------+
 * | payload ...                                                       |
 * </pre>
 *
 * flags is 1 in a DATA frame of an agent if its bytes may come from a disturbed read, see {@link
 * io.alrai.dn.link.Branch#disturbed}; otherwise it and reserved are 0. call numbers a request; its
 * reply carries the same number; 0 where there is no reply. A text is one byte of length and that
 * many ASCII characters; a long text is u32 bytes of length and that many of UTF-8.
 *
 * <pre>
 * kind                   payload                                              answered by
 *  1 CHALLENGE           oldest version that the agent speaks u16,
 *                        nonce 32 bytes; call: the newest one                 HELLO
 *  2 HELLO               version of the connection u16, purpose u8, nonce 32 bytes,
 *                        proof 32 bytes, node text, generation of the
 *                        GMS u64, of the group u64, who was made it text      WELCOME |
 *                                                                     NOT_LEADER | ERROR
 *  3 WELCOME             proof 32 bytes, mysqld's connection id u64,
 *                        term of the group u64, 0 for one replica; dn text
 *  4 DATA                any part of the stream of MySQL packets
 *  5 PREPARE             gtrid text                                           STAMP | ERROR
 *  6 PRE_COMMIT          gtrid text                                           STAMP | ERROR
 *  7 DECIDE              gtrid text, proposed u64, count u16, dn texts        STAMP | ERROR
 *  8 COMMIT_PREPARED     gtrid text, commit timestamp u64                     DONE | ERROR
 *  9 ROLLBACK_PREPARED   gtrid text                                           DONE | ERROR
 * 10 OUTCOME             gtrid text                                           OUTCOME_IS | ERROR
 * 11 HOLDS               gtrid text                                           HELD | ERROR
 * 12 FORGET              gtrid text                                           nothing
 * 13 PUSH                gtrid text, prepare timestamp u64, snapshot u64      PUSHED | ERROR
 * 14 OPEN_VIEW           snapshot u64, opening and undo as long texts,
 *                        whether again: 0 or 1: u8           OPENED | SNAPSHOT_REFUSED | ERROR
 * 15 SUBMIT_COMMIT       as COMMIT_PREPARED; answered when it is submitted    DONE | ERROR
 * 16 RESOLVE             timestamp u64                                       RESOLVED | ERROR
 * 17 BRANCHES            nothing                                         BRANCHES_ARE | ERROR
 * 33 FOLLOW_LOG          0: from now on, or 1 and the set of GTIDs that  DATA: {@link LogRecords}
 *                        are known, as MySQL sends it
 * 18 PING                nothing                            PULSE_IS; in version 18 DONE
 * 19 ASK_MEMBER          nothing; this one and 32 on a connection for    MEMBER_IS
 *                        the member only
 * 32 CHANGE_LEADER       name text: that one shall lead                     DONE
 * 34 ASK_FATE            term u64 | connection u64 | sender's clock then     FATE_IS
 * 35 FATE_IS             u8: committed, lost, open, unknown
 * 36 ADD_MEMBER          name text, address text, keeps rows u8; as 19      HELD: it votes | ERROR
 * 37 DROP_MEMBER         name text; as 19                                   HELD: it is out | ERROR
 * 38 OFFER_ROWS          nothing; on a connection for the member    ROWS_OFFERED | ERROR
 * 40 REBUILD             nothing; on a connection for the member             DONE | ERROR
 * 41 PLACE               snapshot u64                   PLACE_IS | SNAPSHOT_REFUSED | ERROR
 * 47 MARK                nothing                                         MARK_IS | ERROR
 * 43 END_REBUILD         nothing; as 40                                     DONE | ERROR
 * 44 LOOK_AROUND         nothing; as 40                               OUTLOOK_IS | ERROR
 * 46 SUSPEND             1 or 0: nothing that is kept is found, or again: u8       DONE
 * 20 STAMP               timestamp u64
 * 21 DONE                nothing
 * 22 OUTCOME_IS          0 in doubt, 1 committed, 2 rolled back: u8;
 *                        commit timestamp u64, 0 unless committed
 * 23 HELD                0 or 1: u8
 * 24 PUSHED              0 above the snapshot, 1 committed: u8;
 *                        commit timestamp u64, 0 unless committed
 * 25 OPENED              place of the log up to which it shows it u64, or -1
 * 26 SNAPSHOT_REFUSED    hint u64: a snapshot that would have been possible
 * 27 RESOLVED            timestamp u64, of the lead: term u64, entry u64;
 *                        file of the log as text, offset u64
 * 28 BRANCHES_ARE        count u16, gtrid texts
 * 29 NOT_LEADER          proof 32 bytes, dn text; of the leader: term u64,
 *                        name text, address text; 0 and empty when unknown
 * 30 MEMBER_IS           name text, state text, leads u8, term u64, leader text, committed u64,
 *                        unapplied u64, lag milliseconds u64, error long text, address of its
 *                        log text; of each voter, after a count u8: name text,
 *                        keeps rows u8, silent milliseconds u64
 * 39 ROWS_OFFERED        user text, password text: what clones there
 * 42 PLACE_IS            a set of GTIDs, as MySQL sends it
 * 45 OUTLOOK_IS          generation u64; of its log's last entry: term u64, index u64, when it
 *                        was written u64; of each other voter, after a count u8: name text,
 *                        answers u8, term u64, index u64
 * 48 MARK_IS             a set of GTIDs, as MySQL sends it; entry u64; a place as in 27
 * 49 PULSE_IS            whether the leader's mysqld answers: 0 or 1: u8
 * 31 ERROR               errno u16, SQLSTATE 5 characters, message to the end, UTF-8
 * </pre>
 *
 * <pre>
 * caller                      agent
 *    | <------- CHALLENGE -------|   connected
 *    |--------- HELLO ---------->|   proof = HMAC-SHA-256(secret, "hello"   0x00 agent's nonce,
 *    |                           |           caller's nonce, purpose, node, what
 *    |                           |           it knows of generations)
 *    | <------- WELCOME ---------|   proof = HMAC-SHA-256(secret, "welcome" 0x00 caller's nonce,
 *    |                           |           agent's nonce, dn); in NOT_LEADER, too
 *    | <------- DATA, calls ---->|
 * </pre>
 *
 * The stamp from a caller is, on a branch, the dependency of the session at work there when the
 * frame was written: the agent notes it before it does anything with the payload. The stamp from an
 * agent is the largest that what is in the frame may have seen on its DN: it is read when the frame
 * is written, and noted by the receiver before the payload goes on, so that no reply overtakes it.
 *
 * <p>Nobody's clock and stamp are believed before his proof is. Afterwards the larger of the two
 * goes, with every frame, to the receiver's ClockUpdate; one beyond its bound ends the connection
 * with ALRAI_CLOCK_SKEW. An ERROR with call 0 is about the connection, which ends with it. On a
 * branch, PREPARE, PRE_COMMIT, DECIDE and OPEN_VIEW may be sent only while no reply of the mysqld
 * is outstanding, and no DATA until they are answered. When the caller's connection ends, so does
 * the mysqld's: it rolls back what is open.
 */
public final class Envelope {
  /** Bytes before the payload. */
  public static final int HEADER = 28;

  /** The flag of bytes that may come from a disturbed read. */
  public static final int DISTURBED = 1;

  /** Most bytes of a payload that is no DATA. */
  public static final int MAX_MESSAGE = 1 << 16;

  /** Most bytes of a payload before the other side has proved itself. */
  static final int MAX_UNPROVED = 1_024;

  private Envelope() {}

  /** Writes a header without flags. */
  public static void header(
      ByteBuf out, FrameKind kind, int call, long clock, long stamp, int length) {
    header(out, kind, 0, call, clock, stamp, length);
  }

  /** Writes a header. */
  public static void header(
      ByteBuf out, FrameKind kind, int flags, int call, long clock, long stamp, int length) {
    out.writeInt(length)
        .writeByte(kind.code())
        .writeByte(flags)
        .writeShort(0)
        .writeInt(call)
        .writeLong(clock)
        .writeLong(stamp);
  }

  /** The error of one who breaks the rules above. */
  public static AlraiException malformed(String what) {
    return new AlraiException(
        ErrorCode.ER_MALFORMED_PACKET, "malformed frame between node and agent: " + what);
  }

  /** The error of one who sends what is not awaited now. */
  public static AlraiException unexpected(Message message) {
    return malformed("unexpected " + message);
  }
}
