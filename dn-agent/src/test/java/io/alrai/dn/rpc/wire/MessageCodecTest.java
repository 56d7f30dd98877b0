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
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class MessageCodecTest {
  static Stream<Message> messages() {
    return WireSamples.messages().stream();
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
