package io.alrai.dn.clock;

import io.alrai.common.time.HlcTimestamp;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * A timestamp on disk that survives a torn write: two slots are written in turns, and the valid one
 * that was written last counts. Not thread-safe.
 *
 * <pre>
 *  0        8         16           24            512
 * +--------+---------+------------+-- - - - - --+---- the same: slot 1
 * | turn   | value   | CRC-32C    |   unused    |
 * +--------+---------+------------+-- - - - - --+----
 * </pre>
 *
 * Numbers are 64 bits, big-endian. Turns count up over both slots from 1; the checksum is taken
 * over turn and value.
 */
final class HighWaterFile implements AutoCloseable {
  private static final int SLOT_BYTES = 512;
  private static final int RECORD_BYTES = 24;

  private final FileChannel channel;
  private long turn;

  private HighWaterFile(FileChannel channel) {
    this.channel = channel;
  }

  static HighWaterFile open(Path file) throws IOException {
    return new HighWaterFile(
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE));
  }

  /**
   * What was written last; {@link HlcTimestamp#ZERO} for a new file. Must be called before {@link
   * #write}.
   *
   * @throws IOException when there is something, but nothing valid
   */
  HlcTimestamp read() throws IOException {
    turn = 0;
    long latest = 0;
    boolean firstWriteDone = false;
    for (int slot = 0; slot < 2; slot++) {
      ByteBuffer record = ByteBuffer.allocate(RECORD_BYTES);
      int got = 0;
      while (got >= 0 && record.hasRemaining()) {
        got = channel.read(record, (long) slot * SLOT_BYTES + record.position());
      }
      if (record.hasRemaining()) {
        continue;
      }
      record.flip();
      long writtenAt = record.getLong();
      long value = record.getLong();
      if (record.getLong() == checksum(writtenAt, value) && writtenAt > turn) {
        turn = writtenAt;
        latest = value;
      }
      // turn 1 is in slot 1: as long as slot 0 is empty, nothing was given yet
      firstWriteDone |= slot == 0 && writtenAt != 0;
    }
    if (turn == 0 && firstWriteDone) {
      throw new IOException("the clock's high-water mark is damaged");
    }
    return new HlcTimestamp(latest);
  }

  /** Returns when it is durable. */
  void write(HlcTimestamp mark) throws IOException {
    turn++;
    ByteBuffer record = ByteBuffer.allocate(RECORD_BYTES);
    record.putLong(turn).putLong(mark.value()).putLong(checksum(turn, mark.value())).flip();
    long at = (turn & 1) * SLOT_BYTES;
    while (record.hasRemaining()) {
      at += channel.write(record, at);
    }
    channel.force(true);
  }

  private static long checksum(long turn, long value) {
    CRC32C crc = new CRC32C();
    crc.update(ByteBuffer.allocate(16).putLong(turn).putLong(value).flip());
    return crc.getValue();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
