package io.alrai.cn.compress;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.wire.Capability;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompressedPacketsTest {
  private static final int HEADER = 7;

  private static EmbeddedChannel channel(String algorithm) {
    return new EmbeddedChannel(new CompressedPackets(new Compression(algorithm, 6)));
  }

  /** All that was written so far. */
  private static byte[] sent(EmbeddedChannel channel) {
    return drained(channel::readOutbound);
  }

  private static byte[] received(EmbeddedChannel channel) {
    return drained(channel::readInbound);
  }

  private static byte[] drained(Supplier<ByteBuf> source) {
    ByteBuf all = Unpooled.buffer();
    for (ByteBuf piece = source.get(); piece != null; piece = source.get()) {
      all.writeBytes(piece);
      piece.release();
    }
    byte[] bytes = ByteBufUtil.getBytes(all);
    all.release();
    return bytes;
  }

  private static byte[] text(int size) {
    byte[] bytes = new byte[size];
    for (int i = 0; i < size; i++) {
      bytes[i] = (byte) ('a' + i % 7);
    }
    return bytes;
  }

  private static byte[] noise(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  private static byte[] compressed(String algorithm, byte[] bytes) {
    EmbeddedChannel channel = channel(algorithm);
    assertTrue(channel.writeOutbound(Unpooled.wrappedBuffer(bytes)));
    return sent(channel);
  }

  private static int length(byte[] frame, int at) {
    return frame[at] & 0xff | (frame[at + 1] & 0xff) << 8 | (frame[at + 2] & 0xff) << 16;
  }

  @ParameterizedTest
  @ValueSource(strings = {"zlib", "zstd"})
  void whatIsWrittenIsRead(String algorithm) {
    for (int size : new int[] {1, 49, 50, 51, 1000, 70_000, 256 << 10, (256 << 10) + 1, 3 << 20}) {
      for (byte[] bytes : new byte[][] {text(size), noise(size)}) {
        byte[] frames = compressed(algorithm, bytes);
        EmbeddedChannel reader = channel(algorithm);
        reader.writeInbound(Unpooled.wrappedBuffer(frames));
        assertArrayEquals(bytes, received(reader), algorithm + " " + size);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"zlib", "zstd"})
  void framesMayBeCutAnywhere(String algorithm) {
    byte[] frames = compressed(algorithm, text(5000));
    for (int cut = 1; cut < frames.length; cut++) {
      EmbeddedChannel reader = channel(algorithm);
      reader.writeInbound(Unpooled.copiedBuffer(frames, 0, cut));
      reader.writeInbound(Unpooled.copiedBuffer(frames, cut, frames.length - cut));
      assertArrayEquals(text(5000), received(reader));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"zlib", "zstd"})
  void onlyWhatGetsSmallerIsCompressed(String algorithm) {
    byte[] small = compressed(algorithm, text(49));
    assertEquals(HEADER + 49, small.length);
    assertEquals(0, length(small, 4));
    byte[] random = compressed(algorithm, noise(5000));
    assertEquals(HEADER + 5000, random.length);
    assertEquals(0, length(random, 4));
    byte[] large = compressed(algorithm, text(5000));
    assertTrue(large.length < 500, large.length + " bytes");
    assertEquals(large.length - HEADER, length(large, 0));
    assertEquals(5000, length(large, 4));
  }

  @Test
  void answersGoOnWithTheNumbersOfTheirCommand() {
    EmbeddedChannel channel = channel("zlib");
    for (int command = 0; command < 3; command++) {
      channel.writeInbound(
          Unpooled.wrappedBuffer(new byte[] {1, 0, 0, 0, 0, 0, 0, 'x', 1, 0, 0, 1, 0, 0, 0, 'y'}));
      assertArrayEquals("xy".getBytes(StandardCharsets.US_ASCII), received(channel));
      channel.writeOutbound(Unpooled.wrappedBuffer(text(600 << 10)));
      byte[] frames = sent(channel);
      int at = 0;
      for (int number = 2; number < 5; number++) {
        assertEquals(number, frames[at + 3]);
        at += HEADER + length(frames, at);
      }
      assertEquals(frames.length, at);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"zlib", "zstd"})
  void whatIsDamagedEndsTheConnection(String algorithm) {
    byte[] right = compressed(algorithm, text(5000));
    byte[] longer = right.clone();
    longer[4]++;
    byte[] shorter = right.clone();
    shorter[4]--;
    byte[] garbage = right.clone();
    System.arraycopy(noise(garbage.length), HEADER, garbage, HEADER, garbage.length - HEADER);
    for (byte[] frame : new byte[][] {longer, shorter, garbage}) {
      EmbeddedChannel channel = channel(algorithm);
      channel.writeInbound(Unpooled.wrappedBuffer(frame), Unpooled.wrappedBuffer(right));
      byte[] error = sent(channel);
      assertEquals(1157, error[HEADER + 5] & 0xff | (error[HEADER + 6] & 0xff) << 8);
      assertFalse(channel.isOpen());
      assertNull(channel.readInbound());
    }
  }

  @Test
  void clientsAskByTheirCapabilities() {
    assertFalse(Compression.asked(0, 3).on());
    assertEquals(new Compression("zlib", 6), Compression.asked(Capability.COMPRESS, 0));
    assertEquals(
        new Compression("zlib", 6), Compression.asked(Capability.COMPRESS | Capability.ZSTD, 3));
    assertEquals(new Compression("zstd", 3), Compression.asked(Capability.ZSTD, 3));
    for (int level : new int[] {0, 23, 255}) {
      AlraiException refused =
          assertThrows(AlraiException.class, () -> Compression.asked(Capability.ZSTD, level));
      assertEquals(1043, refused.errno());
    }
  }

  /** A length that a frame only claims takes no memory. */
  @ParameterizedTest
  @ValueSource(strings = {"zlib", "zstd"})
  void whatIsOnlyClaimedTakesNoMemory(String algorithm) {
    ByteBuf out = Unpooled.directBuffer();
    ByteBuf block = Unpooled.directBuffer().writeBytes(text(100));
    BlockCodec codec = new Compression(algorithm, 6).codec();
    ByteBuf compressed = Unpooled.directBuffer();
    assertTrue(codec.compress(block, compressed));
    assertThrows(AlraiException.class, () -> codec.decompress(compressed, 16 << 20, out));
    assertTrue(out.capacity() <= 64 << 10, () -> "room for " + out.capacity());
    out.release();
    block.release();
    compressed.release();
  }

  /** Much of little: it grows in steps. */
  @ParameterizedTest
  @ValueSource(strings = {"zlib", "zstd"})
  void zerosOfSixteenMegabytes(String algorithm) {
    int size = (16 << 20) - 1;
    BlockCodec codec = new Compression(algorithm, 6).codec();
    ByteBuf block = Unpooled.directBuffer(size).writeZero(size);
    ByteBuf compressed = Unpooled.directBuffer();
    assertTrue(codec.compress(block, compressed));
    for (int wrong : new int[] {size - 1, size + 1, 1}) {
      ByteBuf out = Unpooled.directBuffer();
      assertThrows(AlraiException.class, () -> codec.decompress(compressed, wrong, out));
      out.release();
    }
    ByteBuf out = Unpooled.directBuffer();
    codec.decompress(compressed, size, out);
    assertEquals(block, out);
    out.release();
    block.release();
    compressed.release();
  }
}
