package io.alrai.e2e.clients;

import java.util.Arrays;
import java.util.Random;

/** Makes bytes wrong. */
final class Mutations {
  private static final int[] LENGTHS = {0, 1, 3, 0xff, 0xffff, 0x100000, 0xffffff};

  private final Random random;

  Mutations(Random random) {
    this.random = random;
  }

  /** A packet that is wrong in up to four places; its length is right in half of the cases. */
  byte[] packet(byte[] right) {
    byte[] wrong = some(right);
    if (wrong.length >= 4 && random.nextBoolean()) {
      length(wrong, wrong.length - 4);
    } else if (wrong.length >= 4 && random.nextInt(4) == 0) {
      length(wrong, LENGTHS[random.nextInt(LENGTHS.length)]);
    }
    return wrong;
  }

  private static void length(byte[] packet, int length) {
    packet[0] = (byte) length;
    packet[1] = (byte) (length >> 8);
    packet[2] = (byte) (length >> 16);
  }

  /** Bytes that are wrong in up to four places. */
  byte[] some(byte[] right) {
    byte[] bytes = right.clone();
    for (int i = random.nextInt(5); i > 0 && bytes.length > 0; i--) {
      bytes = one(bytes);
    }
    return bytes;
  }

  private byte[] one(byte[] bytes) {
    int at = random.nextInt(bytes.length);
    return switch (random.nextInt(6)) {
      case 0 -> {
        bytes[at] ^= (byte) (1 << random.nextInt(8));
        yield bytes;
      }
      case 1 -> {
        bytes[at] = (byte) (random.nextBoolean() ? 0xff - random.nextInt(5) : random.nextInt(256));
        yield bytes;
      }
      case 2 -> Arrays.copyOf(bytes, at);
      case 3 -> joined(Arrays.copyOf(bytes, at), noise(random.nextInt(40)), from(bytes, at));
      case 4 -> joined(Arrays.copyOf(bytes, at), from(bytes, at + random.nextInt(8)));
      default -> joined(bytes, from(bytes, at));
    };
  }

  byte[] noise(int size) {
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] from(byte[] bytes, int at) {
    return Arrays.copyOfRange(bytes, Math.min(at, bytes.length), bytes.length);
  }

  private static byte[] joined(byte[]... parts) {
    int size = Arrays.stream(parts).mapToInt(part -> part.length).sum();
    byte[] all = new byte[size];
    int at = 0;
    for (byte[] part : parts) {
      System.arraycopy(part, 0, all, at, part.length);
      at += part.length;
    }
    return all;
  }
}
