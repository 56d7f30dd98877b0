package io.alrai.dn.rpc.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.time.HlcTimestamp;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class FrameDecoderTest {
  /** Keeps what it decodes. */
  private static final class Recorder extends FrameDecoder {
    final List<Message> messages = new ArrayList<>();
    final List<Long> clocks = new ArrayList<>();
    final List<Long> stamps = new ArrayList<>();
    final List<String> order = new ArrayList<>();
    final ByteBuf data = Unpooled.buffer();

    @Override
    protected void clock(long remote) {
      clocks.add(remote);
    }

    @Override
    protected void stamp(long remote) {
      stamps.add(remote);
      order.add("stamp");
    }

    @Override
    protected void data(ChannelHandlerContext ctx, ByteBuf piece) {
      data.writeBytes(piece);
      order.add("data");
      piece.release();
    }

    @Override
    protected void message(ChannelHandlerContext ctx, Message message, int call, long remote) {
      messages.add(message);
      order.add("message");
    }
  }

  private final Recorder recorder = new Recorder();
  private final EmbeddedChannel channel = new EmbeddedChannel(recorder);

  private static void data(ByteBuf out, byte[] bytes, long clock, long stamp) {
    Envelope.header(out, FrameKind.DATA, 0, clock, stamp, bytes.length);
    out.writeBytes(bytes);
  }

  @Test
  void framesSurviveEveryCut() {
    recorder.proved();
    long seed = System.nanoTime();
    Random random = new Random(seed);
    ByteBuf sent = Unpooled.buffer();
    ByteBuf wantedData = Unpooled.buffer();
    List<Message> wanted = new ArrayList<>();
    List<Long> clocks = new ArrayList<>();
    List<Long> stamps = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      clocks.add((long) i);
      stamps.add((long) i / 2);
      if (random.nextBoolean()) {
        byte[] bytes = new byte[random.nextInt(300)];
        random.nextBytes(bytes);
        data(sent, bytes, i, i / 2);
        wantedData.writeBytes(bytes);
      } else {
        Message message = new Message.Stamp(new HlcTimestamp(random.nextInt(1 << 30)));
        MessageCodec.write(sent, message, i, i, i / 2);
        wanted.add(message);
      }
    }
    while (sent.isReadable()) {
      int length = Math.min(sent.readableBytes(), 1 + random.nextInt(90));
      channel.writeInbound(sent.readRetainedSlice(length));
    }
    assertEquals(wanted, recorder.messages, "seed " + seed);
    assertEquals(wantedData, recorder.data, "seed " + seed);
    assertEquals(clocks, recorder.clocks, "seed " + seed);
    assertEquals(stamps, recorder.stamps, "seed " + seed);
  }

  @Test
  void aStampIsKnownBeforeWhatItCameWith() {
    recorder.proved();
    ByteBuf sent = Unpooled.buffer();
    data(sent, new byte[10], 7, 5);
    MessageCodec.write(sent, new Message.Done(), 1, 7, 6);
    channel.writeInbound(sent);
    assertEquals(List.of("stamp", "data", "stamp", "message"), recorder.order);
    assertEquals(List.of(5L, 6L), recorder.stamps);
  }

  @Test
  void theClockFollowsAStampThatIsAhead() {
    recorder.proved();
    ByteBuf sent = Unpooled.buffer();
    data(sent, new byte[10], 7, 9);
    MessageCodec.write(sent, new Message.Done(), 1, 8, 10);
    channel.writeInbound(sent);
    assertEquals(List.of(9L, 10L), recorder.clocks);
  }

  @Test
  void aStampWithReservedBitsIsRefused() {
    recorder.proved();
    ByteBuf sent = Unpooled.buffer();
    data(sent, new byte[10], 7, 1L << 62);
    refused(sent);
  }

  @Test
  void nobodysClockAndStampAreBelievedBeforeHisProof() {
    ByteBuf sent = Unpooled.buffer();
    MessageCodec.write(sent, new Message.Done(), 0, 5, 4);
    channel.writeInbound(sent);
    assertEquals(1, recorder.messages.size());
    assertTrue(recorder.clocks.isEmpty());
    assertTrue(recorder.stamps.isEmpty());
  }

  private void refused(ByteBuf frame) {
    DecoderException refused =
        assertThrows(DecoderException.class, () -> channel.writeInbound(frame));
    assertTrue(refused.getCause() instanceof AlraiException, String.valueOf(refused));
  }

  @Test
  void dataBeforeTheProofIsRefused() {
    ByteBuf sent = Unpooled.buffer();
    data(sent, new byte[10], 0, 0);
    refused(sent);
  }

  @Test
  void aLargeFrameBeforeTheProofIsRefusedByItsHeader() {
    ByteBuf sent = Unpooled.buffer();
    Envelope.header(sent, FrameKind.HELLO, 0, 0, 0, 100_000);
    refused(sent);
  }

  @Test
  void aMessageBeyondTheBoundIsRefused() {
    recorder.proved();
    ByteBuf sent = Unpooled.buffer();
    Envelope.header(sent, FrameKind.DECIDE, 0, 0, 0, Envelope.MAX_MESSAGE + 1);
    refused(sent);
  }

  @Test
  void unknownKindsAndFlagsAreRefused() {
    recorder.proved();
    for (int at : new int[] {4, 5, 6, 7}) {
      ByteBuf sent = Unpooled.buffer();
      MessageCodec.write(sent, new Message.Done(), 1, 0, 0);
      sent.setByte(at, 200);
      EmbeddedChannel other = new EmbeddedChannel(new Recorder());
      assertThrows(DecoderException.class, () -> other.writeInbound(sent), "byte " + at);
    }
  }
}
