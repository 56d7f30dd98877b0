package io.alrai.testing;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Makes of packets that a mysqld sends others that none should: cut off, out of order, split
 * anywhere, with wrong lengths, numbers, kinds and flags. The same seed makes the same.
 */
public final class HostileReplies {
  private static final int HEADER = 4;
  private static final int[] FIRST_BYTES = {0x00, 0x01, 0x03, 0xfb, 0xfc, 0xfd, 0xfe, 0xff};

  private static final long FIXED = 20_261_126;

  private final Random random;

  /** A stream that is changed and read. */
  public interface Round {
    /** Runs it. */
    void run(HostileReplies hostile);
  }

  /** What is made of a stream that is known by its number. */
  public HostileReplies(long seed) {
    random = new Random(seed);
  }

  /**
   * Runs rounds, every other one the same each time; of one that fails the seed is said. {@code
   * -Dhostile.rounds} says how many, {@code -Dhostile.seed} repeats one.
   *
   * @param usual how many there are if nothing is said
   */
  public static void rounds(int usual, Round round) {
    Long only = Long.getLong("hostile.seed");
    long fresh = System.nanoTime();
    int count = only == null ? Integer.getInteger("hostile.rounds", usual) : 1;
    for (int i = 0; i < count; i++) {
      long seed = only == null ? (i % 2 == 0 ? FIXED : fresh) + i : only;
      try {
        round.run(new HostileReplies(seed));
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("-Dhostile.seed=" + seed, e);
      }
    }
  }

  /** The source of randomness, for those who make the packets. */
  public Random random() {
    return random;
  }

  /**
   * Lets a channel read a stream, with one change or none, until it closes.
   *
   * @param stream is released
   * @return whether it was changed
   */
  public boolean give(ByteBuf stream, EmbeddedChannel to) {
    List<byte[]> packets = packets(stream);
    stream.release();
    boolean changed = change(packets);
    for (ByteBuf read : reads(packets)) {
      if (to.isOpen()) {
        to.writeInbound(read);
      } else {
        read.release();
      }
    }
    return changed;
  }

  /** The packets of a stream, each with its header. */
  public static List<byte[]> packets(ByteBuf stream) {
    List<byte[]> packets = new ArrayList<>();
    int at = stream.readerIndex();
    while (at < stream.writerIndex()) {
      int length = stream.getUnsignedMediumLE(at) + HEADER;
      packets.add(ByteBufUtil.getBytes(stream, at, length));
      at += length;
    }
    return packets;
  }

  /**
   * Changes one thing, or nothing in some cases. What no reader can tell from what is right is not
   * done: a packet that swallows whole ones up to one that may follow it.
   *
   * @return whether it changed something
   */
  private boolean change(List<byte[]> packets) {
    List<byte[]> before = packets.stream().map(byte[]::clone).toList();
    int at = random.nextInt(packets.size());
    boolean changed = change(packets, at);
    if (changed && swallows(before, packets, at)) {
      packets.clear();
      packets.addAll(before);
      return false;
    }
    return changed;
  }

  private static boolean swallows(List<byte[]> before, List<byte[]> after, int at) {
    byte[] all = joined(after);
    int start = after.stream().limit(at).mapToInt(packet -> packet.length).sum();
    if (at >= after.size() || all.length - start < HEADER) {
      return false;
    }
    int length = all[start] & 0xff | (all[start + 1] & 0xff) << 8 | (all[start + 2] & 0xff) << 16;
    int next = start + HEADER + length;
    int rest = all.length - next;
    for (int j = at + 2; j < before.size(); j++) {
      if (rest == before.stream().skip(j).mapToInt(packet -> packet.length).sum()) {
        int sequence = before.get(j)[HEADER - 1];
        return sequence == 1 || sequence == (byte) (all[start + HEADER - 1] + 1);
      }
    }
    return false;
  }

  private boolean change(List<byte[]> packets, int at) {
    byte[] packet = packets.get(at);
    boolean single = packet[HEADER - 1] == 1 && begins(packets, at + 1);
    switch (random.nextInt(8)) {
      case 0 -> {
        return false;
      }
      case 1 -> {
        int least = single ? 1 : 0;
        int left = least + random.nextInt(packet.length - least);
        packets.set(at, Arrays.copyOf(packet, left));
      }
      case 2 -> packet[HEADER - 1] += (byte) (1 + random.nextInt(255));
      case 3 -> packet[random.nextInt(3)] ^= (byte) (1 << random.nextInt(8));
      case 4 -> set(packet, HEADER, FIRST_BYTES[random.nextInt(FIRST_BYTES.length)]);
      case 5 -> set(packet, HEADER + random.nextInt(packet.length), random.nextInt(256));
      case 6 -> {
        // a reply that is missing as a whole is like one that was never asked for
        if (single) {
          return false;
        }
        packets.remove(at);
      }
      default -> {
        if (single) {
          return false;
        }
        packets.add(at, packet.clone());
      }
    }
    return true;
  }

  private static boolean begins(List<byte[]> packets, int at) {
    return at >= packets.size() || packets.get(at)[HEADER - 1] == 1;
  }

  private static void set(byte[] packet, int at, int value) {
    if (at < packet.length) {
      packet[at] = (byte) value;
    }
  }

  /** The bytes of all, as reads at a socket give them. */
  private List<ByteBuf> reads(List<byte[]> packets) {
    byte[] all = joined(packets);
    List<ByteBuf> reads = new ArrayList<>();
    int at = 0;
    while (at < all.length) {
      int length = random.nextInt(4) == 0 ? 1 + random.nextInt(8) : 1 + random.nextInt(all.length);
      int end = Math.min(all.length, at + length);
      // a buffer of its own, as readers change bytes in place
      reads.add(Unpooled.copiedBuffer(all, at, end - at));
      at = end;
    }
    return reads;
  }

  private static byte[] joined(List<byte[]> packets) {
    byte[] all = new byte[packets.stream().mapToInt(packet -> packet.length).sum()];
    int to = 0;
    for (byte[] packet : packets) {
      System.arraycopy(packet, 0, all, to, packet.length);
      to += packet.length;
    }
    return all;
  }
}
