package io.alrai.dn.binlog;

import io.alrai.common.file.DurableFiles;
import io.alrai.dn.binlog.AckedMark.Acked;
import io.alrai.dn.mysqld.MysqldInstance;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transactions at the end of a killed mysqld's log that nobody let through. At its next start
 * the mysqld would commit them. Before that, the log is cut at the last one that was let through;
 * InnoDB then rolls them back, and a branch whose XA COMMIT was among them is prepared again.
 *
 * <p>They are in the last file, as the mysqld begins a new one when no commit waits; but it does
 * not count XA COMMIT and XA ROLLBACK, so these may be at the end of a file before. Then that
 * becomes the last one again, in an order that bears a crash at any moment:
 *
 * <pre>
 *  marked as in use | index without later files | cut | those deleted
 * </pre>
 */
public final class DirtyTail {
  private static final Logger log = LoggerFactory.getLogger(DirtyTail.class);
  private static final int MAGIC = 4;
  private static final int FLAGS_AT = MAGIC + 17;

  /** The file was not closed in order. It is no part of the event's checksum. */
  private static final int IN_USE = 1;

  private DirtyTail() {}

  /**
   * Cuts it off; to be called while the mysqld does not run. Nothing is cut when the log was closed
   * in order, when the mark is of another server, or when the machine was restarted since: then the
   * mark may be older than the log, and what it does not know may have been let through.
   *
   * @param instance the mysqld's
   * @return how many bytes were cut, those of files that are gone not counted
   * @throws IOException when the log cannot be read or cut
   */
  public static long cut(MysqldInstance instance, AckedMark mark) throws IOException {
    Path dataDirectory = instance.dataDirectory();
    Optional<Acked> known = mark.read();
    List<String> names = names(dataDirectory);
    if (known.isEmpty() || names.isEmpty()) {
      return 0;
    }
    Acked acked = known.get();
    if (!instance.serverUuid().equals(Optional.of(acked.serverUuid()))) {
      return 0;
    }
    try (FileChannel last = open(dataDirectory.resolve(names.getLast()))) {
      if ((uint16(last, FLAGS_AT) & IN_USE) == 0) {
        return 0;
      }
    }
    if (!acked.sameBoot()) {
      log.warn("{}: the machine was restarted; what its log has is kept", dataDirectory);
      return 0;
    }
    return cut(dataDirectory, names, acked.end());
  }

  /** Where the first one that nobody let through begins. */
  private static long cut(Path dataDirectory, List<String> names, BinlogPosition acked)
      throws IOException {
    for (int i = 0; i < names.size(); i++) {
      Path file = dataDirectory.resolve(names.get(i)).normalize();
      int order = new BinlogPosition(name(file), acked.offset()).compareTo(acked);
      boolean last = i == names.size() - 1;
      if (order < 0) {
        if (last) {
          log.warn("{} is older than the last acknowledged {}: the log is kept", file, acked);
        }
        continue;
      }
      try (FileChannel channel = open(file)) {
        long end = firstTransaction(channel, order == 0 ? acked.offset() : MAGIC);
        long size = channel.size();
        if (last) {
          // also a part of an event
          return cut(channel, file, order == 0 ? Math.min(acked.offset(), size) : end);
        }
        if (end < size) {
          return makeLast(channel, dataDirectory, names, i, end);
        }
      }
    }
    return 0;
  }

  private static long cut(FileChannel channel, Path file, long end) throws IOException {
    long size = channel.size();
    if (size <= end) {
      return 0;
    }
    channel.truncate(end);
    channel.force(true);
    log.info("{}: cut at {}, {} bytes that were never acknowledged", file, end, size - end);
    return size - end;
  }

  private static long makeLast(
      FileChannel channel, Path dataDirectory, List<String> names, int index, long end)
      throws IOException {
    Path file = dataDirectory.resolve(names.get(index)).normalize();
    List<String> behind = names.subList(index + 1, names.size());
    log.warn("{} has what was never acknowledged; {} go with it", file, behind);
    ByteBuffer flags = ByteBuffer.allocate(2).order(ByteOrder.LITTLE_ENDIAN);
    flags.putShort(0, (short) (uint16(channel, FLAGS_AT) | IN_USE));
    channel.write(flags, FLAGS_AT);
    channel.force(true);
    writeIndex(dataDirectory, names.subList(0, index + 1));
    long bytes = cut(channel, file, end);
    for (String name : behind) {
      Files.deleteIfExists(dataDirectory.resolve(name).normalize());
    }
    return bytes;
  }

  private static void writeIndex(Path dataDirectory, List<String> names) throws IOException {
    Path next = dataDirectory.resolve("binlog.index.next");
    Files.write(next, names, StandardCharsets.UTF_8);
    DurableFiles.force(next);
    Files.move(next, index(dataDirectory), StandardCopyOption.ATOMIC_MOVE);
    DurableFiles.force(dataDirectory);
  }

  /** The offset of the first GTID event at or after a position, or the end of the file. */
  private static long firstTransaction(FileChannel channel, long from) throws IOException {
    long at = from;
    long size = channel.size();
    while (at + Event.HEADER <= size) {
      ByteBuffer header = read(channel, at, Event.HEADER);
      int type = Byte.toUnsignedInt(header.get(4));
      if (type == EventType.GTID || type == EventType.GTID_TAGGED) {
        return at;
      }
      at += Math.max(Event.HEADER, Integer.toUnsignedLong(header.getInt(9)));
    }
    return Math.min(at, size);
  }

  private static int uint16(FileChannel channel, long at) throws IOException {
    return channel.size() < at + 2 ? 0 : Short.toUnsignedInt(read(channel, at, 2).getShort(0));
  }

  private static ByteBuffer read(FileChannel channel, long at, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    while (bytes.hasRemaining()) {
      if (channel.read(bytes, at + bytes.position()) < 0) {
        throw new IOException("the binary log ends at " + (at + bytes.position()));
      }
    }
    return bytes;
  }

  private static FileChannel open(Path file) throws IOException {
    return FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  private static String name(Path file) {
    return file.getFileName().toString();
  }

  private static Path index(Path dataDirectory) {
    return dataDirectory.resolve("binlog.index");
  }

  private static List<String> names(Path dataDirectory) throws IOException {
    Path index = index(dataDirectory);
    return Files.exists(index)
        ? Files.readAllLines(index, StandardCharsets.UTF_8).stream()
            .filter(name -> !name.isBlank())
            .toList()
        : List.of();
  }
}
