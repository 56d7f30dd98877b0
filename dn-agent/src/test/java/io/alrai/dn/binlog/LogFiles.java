package io.alrai.dn.binlog;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The files of a mysqld's binary log, read from its data directory whether it runs or not. */
public final class LogFiles {
  private static final int KEPT_BYTES = 1 << 20;

  private LogFiles() {}

  /** All that lie there, oldest first. */
  public static List<Path> in(Path dataDirectory) throws IOException {
    try (Stream<Path> files = Files.list(dataDirectory)) {
      return files
          .filter(file -> file.getFileName().toString().matches("binlog\\.\\d+"))
          .sorted()
          .toList();
    }
  }

  /** Deletes the whole log. */
  public static void delete(Path dataDirectory) throws IOException {
    for (Path file : in(dataDirectory)) {
      Files.delete(file);
    }
    Files.deleteIfExists(dataDirectory.resolve("binlog.index"));
  }

  /** The whole transactions in their order; what is torn at the end is left out. */
  public static List<BinlogTransaction> transactions(Path dataDirectory) throws IOException {
    return transactions(dataDirectory, KEPT_BYTES);
  }

  /** As {@link #transactions}, without their events: of a long log. */
  public static List<BinlogTransaction> kinds(Path dataDirectory) throws IOException {
    return transactions(dataDirectory, 0);
  }

  /** As {@link #transactions}, with the events of those up to a length. */
  public static List<BinlogTransaction> transactions(Path dataDirectory, int keptBytes)
      throws IOException {
    List<BinlogTransaction> found = new ArrayList<>();
    TransactionAssembler assembler =
        new TransactionAssembler(keptBytes, LongEvents.NONE, found::add);
    for (Path file : in(dataDirectory)) {
      byte[] name = RecordedLog.rotation(file.getFileName().toString(), RecordedLog.MAGIC);
      assembler.accept(new Event(Unpooled.wrappedBuffer(name), 0, name.length, false));
      forEachEvent(
          file,
          event -> {
            // the next file is known; a file in use is marked so, of which the checksum knows
            // nothing
            if (event.type() != EventType.ROTATE && event.type() != EventType.FORMAT_DESCRIPTION) {
              assembler.accept(event);
            }
          });
    }
    return found;
  }

  /** The types of all events, by their numbers. */
  public static List<Integer> types(Path dataDirectory) throws IOException {
    List<Integer> types = new ArrayList<>();
    for (Path file : in(dataDirectory)) {
      forEachEvent(file, event -> types.add(event.type()));
    }
    return types;
  }

  /** The whole events of transactions, each as it lies in the log. */
  public static List<byte[]> events(BinlogTransaction transaction) {
    List<byte[]> events = new ArrayList<>();
    transaction.forEachEvent(event -> {
      byte[] bytes = new byte[event.length()];
      event.bytes().getBytes(event.start(), bytes);
      events.add(bytes);
    });
    return events;
  }

  /** The types of a transaction's events by their numbers, and the texts of its statements. */
  public static List<String> shown(BinlogTransaction transaction) {
    List<String> shown = new ArrayList<>();
    transaction.forEachEvent(event -> {
      String text = "";
      if (event.type() == EventType.QUERY) {
        ByteBuf in = event.bytes();
        int body = event.body();
        int schema = in.getUnsignedByte(body + 8);
        int status = in.getUnsignedShortLE(body + 11);
        int from = body + TransactionAssembler.QUERY_POST_HEADER + status + schema + 1;
        text = " " + in.toString(from, event.bodyEnd() - from, StandardCharsets.UTF_8);
      }
      shown.add(event.type() + text);
    });
    return shown;
  }

  /** The format description of a mysqld's files, as it sends it: not marked as in use. */
  public static byte[] format(Path dataDirectory) throws IOException {
    List<byte[]> formats = new ArrayList<>();
    forEachEvent(
        in(dataDirectory).getFirst(),
        event -> {
          if (event.type() == EventType.FORMAT_DESCRIPTION) {
            byte[] bytes = new byte[event.length()];
            event.bytes().getBytes(event.start(), bytes);
            bytes[17] = 0;
            formats.add(bytes);
          }
        });
    return formats.getFirst();
  }

  private static void forEachEvent(Path file, Consumer<Event> consumer) throws IOException {
    ByteBuf in = Unpooled.wrappedBuffer(Files.readAllBytes(file));
    int at = RecordedLog.MAGIC;
    while (at + Event.HEADER <= in.writerIndex()) {
      int length = Math.toIntExact(in.getUnsignedIntLE(at + 9));
      if (length < Event.HEADER || at + length > in.writerIndex()) {
        return;
      }
      consumer.accept(new Event(in, at, length, false));
      at += length;
    }
  }
}
