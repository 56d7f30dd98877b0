package io.alrai.dn.rpc.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.error.ErrorKind;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.link.CommitFate;
import io.alrai.dn.link.CommitParticipant.Outcome;
import io.alrai.dn.link.GroupOutlook;
import io.alrai.dn.link.MemberStatus;
import io.alrai.dn.link.PushAnswer;
import io.alrai.dn.ship.LeadNumber;
import io.alrai.dn.ship.LogPlace;
import io.alrai.dn.ship.Mark;
import io.alrai.dn.ship.ResolvedPlace;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class MessageCodecTest {
  private static final MemberStatus STATUS =
      new MemberStatus(
          "dn-1-a",
          "LEADING",
          true,
          7,
          1_000,
          0,
          40,
          "größer",
          "host:2",
          List.of(new MemberStatus.Voter("logger-1", false, 12)),
          new MemberStatus.Cloning(true, 3, "dn-1-b", 1L << 40, 1L << 41));

  private static final TransactionId ID =
      new TransactionId(new NodeId("cn-1"), 1_700_000_000_000L, 77, new DnId("dn-1"));
  private static final HlcTimestamp TS = HlcTimestamp.ofMillis(1_700_000_000_123L);
  private static final GtidSet SET = GtidSet.parse("00000000-0000-0000-0000-00000000000a:1-5:7");
  private static final Mark MARK =
      new Mark(
          SET,
          1L << 40,
          new LogPlace(new LeadNumber(3, 17), new BinlogPosition("binlog.000001", 77)));

  private static final Message HELLO =
      new Message.Hello(
          1,
          Purpose.DATA_FOUND_ROWS,
          Proofs.nonce(),
          Proofs.nonce(),
          new NodeId("cn-17"),
          new KnownGenerations(1_337, 2, "dn-1-b"));
  private static final GroupOutlook OUTLOOK =
      new GroupOutlook(
          1,
          7,
          81_234,
          1_700_000_000_000L,
          List.of(
              new GroupOutlook.Other("dn-1-a", false, 0, -1),
              new GroupOutlook.Other("logger-1", true, 7, 81_235)));

  static Stream<Message> messages() {
    return Stream.of(
        new Message.Challenge(1, Proofs.nonce()),
        HELLO,
        new Message.LookAround(),
        new Message.OutlookIs(OUTLOOK),
        new Message.Welcome(Proofs.nonce(), 4_000_000_000L, 5_000_000_000L, new DnId("dn-1")),
        new Message.NotLeader(Proofs.nonce(), new DnId("dn-1"), LeaderHint.NOBODY),
        new Message.NotLeader(Proofs.nonce(), new DnId("dn-1"), new LeaderHint(7, "dn-1-b")),
        new Message.Prepare(ID),
        new Message.PreCommit(ID),
        new Message.Decide(ID, TS, List.of(new DnId("dn-2"), new DnId("dn-3"))),
        new Message.Decide(ID, TS, List.of()),
        new Message.CommitPrepared(ID, TS),
        new Message.RollbackPrepared(ID),
        new Message.AskOutcome(ID),
        new Message.Holds(ID),
        new Message.Forget(ID),
        new Message.Push(ID, TS, HlcTimestamp.ofMillis(1_700_000_000_200L)),
        new Message.OpenView(TS, "START TRANSACTION; SELECT 'ö'", "ROLLBACK", true),
        new Message.OpenView(TS, "x".repeat(1_000), "", false),
        new Message.Stamp(TS),
        new Message.Done(),
        new Message.OutcomeIs(new Outcome.InDoubt()),
        new Message.OutcomeIs(new Outcome.Committed(TS)),
        new Message.OutcomeIs(new Outcome.RolledBack()),
        new Message.Held(true),
        new Message.Held(false),
        new Message.Pushed(new PushAnswer.Above()),
        new Message.Pushed(new PushAnswer.Committed(TS)),
        new Message.Opened(77),
        new Message.Suspend(true),
        new Message.SnapshotRefused(TS),
        new Message.Resolve(TS),
        new Message.AskPlace(TS),
        new Message.PlaceIs(SET),
        new Message.AskMark(),
        new Message.MarkIs(MARK),
        new Message.ResolvedTo(
            new ResolvedPlace(
                TS,
                new LogPlace(
                    new LeadNumber(9, 1L << 34), new BinlogPosition("binlog.000042", 1L << 33)))),
        new Message.FollowLog(Optional.empty()),
        new Message.FollowLog(Optional.of(SET)),
        new Message.AskBranches(),
        new Message.Ping(),
        new Message.AskMember(),
        new Message.ChangeLeader("dn-1-b"),
        new Message.AskFate(7, 1L << 40, new HlcTimestamp(1L << 60)),
        new Message.FateIs(CommitFate.LOST),
        new Message.AddMember("logger-2", "host:1", false),
        new Message.DropMember("logger-1"),
        new Message.EndRebuild(),
        new Message.MemberIs(STATUS),
        new Message.BranchesAre(List.of()),
        new Message.BranchesAre(List.of(ID, ID)));
  }

  private static ByteBuf frame(Message message) {
    ByteBuf out = Unpooled.buffer();
    MessageCodec.write(out, message, 7, 99, 98);
    return out;
  }

  private static FrameKind kindOf(ByteBuf frame) {
    return Objects.requireNonNull(FrameKind.of(frame.getUnsignedByte(4)));
  }

  private static Message read(ByteBuf frame) {
    return MessageCodec.read(
        kindOf(frame), frame.slice(Envelope.HEADER, frame.readableBytes() - Envelope.HEADER));
  }

  @ParameterizedTest
  @MethodSource("messages")
  void comesBackAsItWas(Message message) {
    ByteBuf frame = frame(message);
    assertEquals(frame.readableBytes() - Envelope.HEADER, frame.getInt(0));
    assertEquals(7, frame.getInt(8));
    assertEquals(99, frame.getLong(12));
    assertEquals(98, frame.getLong(20));
    assertEquals(message, read(frame));
  }

  @ParameterizedTest
  @MethodSource("messages")
  void everyShorterPayloadIsRefused(Message message) {
    ByteBuf frame = frame(message);
    for (int length = 0; length < frame.readableBytes() - Envelope.HEADER; length++) {
      ByteBuf cut = frame.slice(Envelope.HEADER, length);
      AlraiException refused =
          assertThrows(AlraiException.class, () -> MessageCodec.read(kindOf(frame), cut));
      assertEquals(ErrorCode.ER_MALFORMED_PACKET.errno(), refused.errno());
    }
  }

  @ParameterizedTest
  @MethodSource("messages")
  void aLongerPayloadIsRefused(Message message) {
    ByteBuf frame = frame(message).writeByte(0);
    assertThrows(AlraiException.class, () -> read(frame));
  }

  @Test
  void theBytesAreTheDocumentedOnes() {
    TransactionId small = new TransactionId(new NodeId("c"), 1, 2, new DnId("d"));
    ByteBuf out = Unpooled.buffer();
    MessageCodec.write(
        out,
        new Message.Decide(small, new HlcTimestamp(0x0102030405060708L), List.of(new DnId("e"))),
        3,
        0x1122334455667788L,
        0x0011223344556677L);
    assertEquals(
        "00000016"
            + "07"
            + "00"
            + "0000"
            + "00000003"
            + "1122334455667788"
            + "0011223344556677"
            + "09613a633a313a323a64"
            + "0102030405060708"
            + "0001"
            + "0165",
        ByteBufUtil.hexDump(out));
  }

  @Test
  void ownErrorsKeepTheirKind() {
    AlraiException sent = new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, "dn-1 is down");
    Message.Failure got =
        assertInstanceOf(Message.Failure.class, read(frame(new Message.Failure(sent))));
    assertEquals(sent.errno(), got.reason().errno());
    assertEquals(ErrorKind.RESOURCE, got.reason().kind());
    assertEquals("dn-1 is down", got.reason().sentence());
  }

  @Test
  void serverErrorsKeepTheirState() {
    AlraiException sent = AlraiException.fromServer(1614, "XA102", "XA_RBDEADLOCK: ö");
    Message.Failure got =
        assertInstanceOf(Message.Failure.class, read(frame(new Message.Failure(sent))));
    assertEquals(1614, got.reason().errno());
    assertEquals("XA102", got.reason().sqlState());
    assertEquals("XA_RBDEADLOCK: ö", got.reason().sentence());
  }

  @Test
  void anErrorTooLongForAFrameIsCut() {
    AlraiException sent = AlraiException.fromServer(1064, "42000", "x".repeat(100_000));
    ByteBuf frame = frame(new Message.Failure(sent));
    assertEquals(8_192 + 7, frame.getInt(0));
  }

  @Test
  void unknownValuesAreRefused() {
    ByteBuf outcome = Unpooled.buffer().writeByte(3).writeLong(0);
    assertThrows(AlraiException.class, () -> MessageCodec.read(FrameKind.OUTCOME_IS, outcome));
    ByteBuf pushed = Unpooled.buffer().writeByte(2).writeLong(0);
    assertThrows(AlraiException.class, () -> MessageCodec.read(FrameKind.PUSHED, pushed));
    ByteBuf negative = Unpooled.buffer().writeLong(1).writeInt(-1).writeInt(0);
    assertThrows(AlraiException.class, () -> MessageCodec.read(FrameKind.OPEN_VIEW, negative));
    ByteBuf notOurs = Unpooled.buffer().writeByte(3).writeBytes(new byte[] {'a', ':', 'b'});
    assertThrows(AlraiException.class, () -> MessageCodec.read(FrameKind.PREPARE, notOurs));
    ByteBuf reserved = Unpooled.buffer().writeLong(-1);
    assertThrows(AlraiException.class, () -> MessageCodec.read(FrameKind.STAMP, reserved));
  }
}
