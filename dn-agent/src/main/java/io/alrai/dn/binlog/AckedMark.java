package io.alrai.dn.binlog;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * The place up to which commits of a mysqld were let through, in a file that is mapped into memory:
 * a write costs less than a microsecond and survives the death of this process and of the mysqld,
 * but not that of the machine, and says so. Two slots are written in turns; the valid one that was
 * written last counts.
 *
 * <pre>
 *  0      8        24             40       48       50          178      256
 * +------+--------+--------------+--------+--------+-----------+--------+---- the same: slot 1
 * | turn | boot   | server uuid  | offset | length | file name | CRC-32C|
 * +------+--------+--------------+--------+--------+-----------+--------+----
 * </pre>
 *
 * Numbers are big-endian. Written by one thread; {@link #read} while nobody writes.
 */
public final class AckedMark implements AutoCloseable {
  private static final int SLOT_BYTES = 256;
  private static final int NAME_AT = 50;
  private static final int LONGEST_NAME = 128;
  private static final int CRC_AT = NAME_AT + LONGEST_NAME;
  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

  /**
   * What was written last.
   *
   * @param sameBoot whether the machine has been running since
   */
  public record Acked(boolean sameBoot, UUID serverUuid, BinlogPosition end) {}

  private final Arena arena = Arena.ofShared();
  private final MemorySegment mapped;
  private final UUID boot;
  private final byte[] record = new byte[CRC_AT];
  private final ByteBuffer buffer = ByteBuffer.wrap(record);
  private final CRC32C crc = new CRC32C();
  private long turn;
  private String nameInRecord = "";

  private AckedMark(FileChannel channel, UUID boot) throws IOException {
    this.mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, 2 * SLOT_BYTES, arena);
    this.boot = boot;
    for (int slot = 0; slot < 2; slot++) {
      if (load(slot)) {
        turn = Math.max(turn, buffer.getLong(0));
      }
    }
    nameInRecord = "";
  }

  /**
   * Opens or makes it.
   *
   * @throws IOException when that fails
   */
  public static AckedMark open(Path file) throws IOException {
    return open(file, bootId());
  }

  static AckedMark open(Path file, UUID boot) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      if (channel.size() < 2 * SLOT_BYTES) {
        // blocks of its own: a full disk must be an error here, not a SIGBUS later
        channel.write(ByteBuffer.allocate(2 * SLOT_BYTES), 0);
        channel.force(true);
      }
      return new AckedMark(channel, boot);
    }
  }

  /** A name for the time since the machine started; a random one where there is none. */
  private static UUID bootId() throws IOException {
    try {
      return UUID.fromString(Files.readString(BOOT_ID).strip());
    } catch (NoSuchFileException e) {
      return UUID.randomUUID();
    }
  }

  /** Notes it; when this returns, the death of this process does not undo it. */
  public void write(UUID serverUuid, BinlogPosition end) {
    if (!end.file().equals(nameInRecord)) {
      byte[] name = end.file().getBytes(StandardCharsets.UTF_8);
      if (name.length > LONGEST_NAME) {
        throw new IllegalArgumentException("a file name of " + name.length + " bytes");
      }
      buffer.putShort(48, (short) name.length).put(NAME_AT, name);
      nameInRecord = end.file();
    }
    turn++;
    buffer.putLong(0, turn);
    putUuid(8, boot);
    putUuid(24, serverUuid);
    buffer.putLong(40, end.offset());
    long slot = (turn & 1) * SLOT_BYTES;
    MemorySegment.copy(record, 0, mapped, ValueLayout.JAVA_BYTE, slot, CRC_AT);
    mapped.set(ValueLayout.JAVA_INT_UNALIGNED, slot + CRC_AT, checksum());
  }

  private void putUuid(int at, UUID uuid) {
    buffer.putLong(at, uuid.getMostSignificantBits());
    buffer.putLong(at + 8, uuid.getLeastSignificantBits());
  }

  private UUID uuid(int at) {
    return new UUID(buffer.getLong(at), buffer.getLong(at + 8));
  }

  private int checksum() {
    crc.reset();
    crc.update(record, 0, CRC_AT);
    return (int) crc.getValue();
  }

  /** Whether the slot is valid; it is in the record then. */
  private boolean load(int slot) {
    long at = (long) slot * SLOT_BYTES;
    MemorySegment.copy(mapped, ValueLayout.JAVA_BYTE, at, record, 0, CRC_AT);
    nameInRecord = "";
    return buffer.getLong(0) > 0
        && mapped.get(ValueLayout.JAVA_INT_UNALIGNED, at + CRC_AT) == checksum();
  }

  /** What was written last, by whatever process. */
  public Optional<Acked> read() {
    if (turn == 0 || !load((int) (turn & 1))) {
      return Optional.empty();
    }
    String name = new String(record, NAME_AT, buffer.getShort(48), StandardCharsets.UTF_8);
    return Optional.of(
        new Acked(uuid(8).equals(boot), uuid(24), new BinlogPosition(name, buffer.getLong(40))));
  }

  @Override
  public void close() {
    arena.close();
  }
}
