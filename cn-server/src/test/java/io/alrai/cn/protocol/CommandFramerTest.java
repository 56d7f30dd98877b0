package io.alrai.cn.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.net.CountingAllocator;
import io.alrai.common.wire.Packets;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Commands come out as they went in, however the bytes of a client are cut. */
class CommandFramerTest {
  private static final int MOST = 40 << 20;
  private static final int RECORD = 16 << 10;

  private final List<byte[]> commands = new ArrayList<>();
  private final List<ByteBuf> held = new ArrayList<>();
  private boolean keeps;
  private int tooLarge;
  private final List<Integer> answers = new ArrayList<>();

  private final CommandFramer.Receiver receiver =
      new CommandFramer.Receiver() {
        @Override
        public void command(ByteBuf packets) {
          commands.add(ByteBufUtil.getBytes(packets));
          if (keeps) {
            held.add(packets);
          } else {
            packets.release();
          }
        }

        @Override
        public void tooLarge() {
          tooLarge++;
        }

        @Override
        public void noRoom(int sequence) {
          answers.add(sequence);
        }

        @Override
        public void gone() {}

        @Override
        public void writabilityChanged(boolean writable) {}
      };
  private final EmbeddedChannel channel = new EmbeddedChannel(new CommandFramer(MOST, receiver));

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  private static byte[] command(int length, int seed) {
    byte[] argument = new byte[length];
    new Random(seed).nextBytes(argument);
    ByteBuf out = Unpooled.buffer();
    Packets.writeCommand(out, 3, argument);
    return ByteBufUtil.getBytes(out);
  }

  private void sendInPieces(byte[] bytes, int piece) {
    for (int at = 0; at < bytes.length; at += piece) {
      channel.writeInbound(Unpooled.copiedBuffer(bytes, at, Math.min(piece, bytes.length - at)));
    }
  }

  private void expect(List<byte[]> wanted) {
    assertEquals(wanted.size(), commands.size());
    for (int i = 0; i < wanted.size(); i++) {
      assertEquals(wanted.get(i).length, commands.get(i).length, "command " + i);
      assertTrue(Arrays.equals(wanted.get(i), commands.get(i)), "command " + i);
    }
  }

  @Test
  void anyCutOfSeveralCommands() {
    List<byte[]> wanted =
        List.of(command(0, 1), command(1, 2), command(30, 3), command(300, 4), command(2, 5));
    ByteBuf all = Unpooled.buffer();
    wanted.forEach(all::writeBytes);
    byte[] bytes = ByteBufUtil.getBytes(all);
    for (int piece = 1; piece <= bytes.length; piece++) {
      commands.clear();
      sendInPieces(bytes, piece);
      expect(wanted);
    }
  }

  @Test
  void aCommandOfSeveralPacketsInRecordsOfTls() {
    List<byte[]> wanted =
        List.of(
            command(20 << 20, 1),
            command(Packets.MAX_PAYLOAD - 1, 2), // ends with an empty packet
            command(2 * Packets.MAX_PAYLOAD - 1, 3),
            command(5, 4));
    wanted.forEach(bytes -> sendInPieces(bytes, RECORD));
    expect(wanted);
  }

  @Test
  void headersMayBeCutAnywhere() {
    byte[] bytes = command(Packets.MAX_PAYLOAD + 10, 1);
    int second = Packets.HEADER + Packets.MAX_PAYLOAD;
    for (int cut = second - 1; cut <= second + Packets.HEADER + 1; cut++) {
      commands.clear();
      channel.writeInbound(Unpooled.copiedBuffer(bytes, 0, cut));
      channel.writeInbound(Unpooled.copiedBuffer(bytes, cut, bytes.length - cut));
      expect(List.of(bytes));
    }
  }

  /** The time of a copy of all that is there for each record would be that of 50 GiB. */
  @Test
  void aLargeCommandIsNotCopiedForEachRead() {
    byte[] bytes = command(40_000_000, 1);
    CountingAllocator counting = new CountingAllocator();
    channel.config().setAllocator(counting);
    sendInPieces(bytes, 2048);
    expect(List.of(bytes));
    assertTrue(counting.buffers() <= 40, counting.buffers() + " buffers");
    assertTrue(counting.bytesOfGrowth() < 2 << 20, counting.bytesOfGrowth() + " bytes");
  }

  @Test
  void aCommandThatFindsNoMemoryIsReadToItsEnd() {
    for (int piece : List.of(1_000_003, 65_536, 4_999)) {
      CountingAllocator scarce =
          new CountingAllocator() {
            @Override
            protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
              if (buffers() == 5) {
                throw new OutOfMemoryError("by the test");
              }
              return super.newHeapBuffer(initialCapacity, maxCapacity);
            }
          };
      channel.config().setAllocator(scarce);
      byte[] large = command(2 * Packets.MAX_PAYLOAD + 17, 1);
      byte[] small = command(100, 2);
      ByteBuf both = Unpooled.wrappedBuffer(large, small);
      sendInPieces(ByteBufUtil.getBytes(both), piece);
      expect(List.of(small));
      assertEquals(List.of(3), answers);
      commands.clear();
      answers.clear();
    }
  }

  @Test
  void aWholeCommandIsNotCopied() {
    keeps = true;
    byte[] bytes = command(100, 1);
    ByteBuf read = Unpooled.directBuffer().writeBytes(bytes).writeBytes(bytes);
    long address = read.memoryAddress();
    channel.writeInbound(read);
    assertEquals(address, held.get(0).memoryAddress());
    assertEquals(address + bytes.length, held.get(1).memoryAddress());
    held.forEach(ByteBuf::release);
    assertEquals(0, read.refCnt());
  }

  @Test
  void whatIsTooLargeIsRefusedOnceAndNothingBehindIsACommand() {
    ByteBuf begin = Unpooled.buffer();
    begin.writeMediumLE(Packets.MAX_PAYLOAD).writeByte(0).writeByte(3);
    channel.writeInbound(begin);
    byte[] rest = new byte[1 << 20];
    for (int i = 0; i < 45; i++) {
      channel.writeInbound(Unpooled.wrappedBuffer(full(rest, i)));
    }
    assertEquals(1, tooLarge);
    channel.writeInbound(Unpooled.wrappedBuffer(command(1, 1)));
    assertEquals(1, tooLarge);
    assertEquals(0, commands.size());
  }

  /** The bytes of packets that are all full: 16 of them have one header among them. */
  private static byte[] full(byte[] rest, int index) {
    long start = 5L + (long) index * rest.length;
    byte[] bytes = new byte[rest.length];
    for (int i = 0; i < bytes.length; i++) {
      long within = (start + i) % (Packets.HEADER + Packets.MAX_PAYLOAD);
      bytes[i] = within < 3 ? (byte) 0xff : 0;
    }
    return bytes;
  }

  @Test
  void whatIsUnfinishedGoesWithTheChannel() {
    ByteBuf read = Unpooled.copiedBuffer(command(100, 1), 0, 50);
    channel.writeInbound(read);
    assertFalse(channel.finish());
    assertEquals(0, commands.size());
    assertEquals(0, read.refCnt());
  }
}
