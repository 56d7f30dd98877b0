package io.alrai.dn.binlog;

import io.alrai.dn.binlog.AckedMark.Acked;
import io.alrai.dn.mysqld.MysqldInstance;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
 * <p>They are always in the last file: the mysqld begins a new one only when none waits.
 */
public final class DirtyTail {
  private static final Logger log = LoggerFactory.getLogger(DirtyTail.class);
  private static final int MAGIC = 4;
  private static final int FLAGS_AT = MAGIC + 17;

  /** The file was not closed in order. */
  private static final int IN_USE = 1;

  private DirtyTail() {}

  /**
   * Cuts it off; to be called while the mysqld does not run. Nothing is cut when the log was closed
   * in order, when the mark is of another server, or when the machine was restarted since: then the
   * mark may be older than the log, and what it does not know may have been let through.
   *
   * @param instance the mysqld's
   * @return how many bytes were cut
   * @throws IOException when the log cannot be read or cut
   */
  public static long cut(MysqldInstance instance, AckedMark mark) throws IOException {
    Path dataDirectory = instance.dataDirectory();
    Optional<Acked> known = mark.read();
    Optional<Path> last = lastFile(dataDirectory);
    if (known.isEmpty() || last.isEmpty()) {
      return 0;
    }
    Acked acked = known.get();
    if (!instance.serverUuid().equals(Optional.of(acked.serverUuid()))) {
      return 0;
    }
    try (FileChannel channel =
        FileChannel.open(last.get(), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      if ((uint16(channel, FLAGS_AT) & IN_USE) == 0) {
        return 0;
      }
      if (!acked.sameBoot()) {
        log.warn("{}: the machine was restarted; what its log has is kept", dataDirectory);
        return 0;
      }
      return cut(channel, last.get(), acked.end());
    }
  }

  private static long cut(FileChannel channel, Path file, BinlogPosition acked) throws IOException {
    String name = file.getFileName().toString();
    int order = new BinlogPosition(name, acked.offset()).compareTo(acked);
    if (order < 0) {
      log.warn("{} is older than the last acknowledged {}: the log is kept", file, acked);
      return 0;
    }
    long end = order == 0 ? acked.offset() : firstTransaction(channel);
    long size = channel.size();
    if (size <= end) {
      return 0;
    }
    channel.truncate(end);
    channel.force(true);
    log.info("{}: cut at {}, {} bytes that were never acknowledged", file, end, size - end);
    return size - end;
  }

  /** Where the first GTID's event begins, or the end. */
  private static long firstTransaction(FileChannel channel) throws IOException {
    long at = MAGIC;
    long size = channel.size();
    while (at + Event.HEADER <= size) {
      ByteBuffer header = read(channel, at, Event.HEADER);
      int type = Byte.toUnsignedInt(header.get(4));
      if (type == EventType.GTID || type == EventType.GTID_TAGGED) {
        return at;
      }
      at += Integer.toUnsignedLong(header.getInt(9));
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

  private static Optional<Path> lastFile(Path dataDirectory) throws IOException {
    Path index = dataDirectory.resolve("binlog.index");
    if (!Files.exists(index)) {
      return Optional.empty();
    }
    List<String> names =
        Files.readAllLines(index, StandardCharsets.UTF_8).stream()
            .filter(name -> !name.isBlank())
            .toList();
    return names.isEmpty()
        ? Optional.empty()
        : Optional.of(dataDirectory.resolve(names.getLast()).normalize());
  }
}
