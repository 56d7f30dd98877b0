package io.alrai.cn.branch;

import io.alrai.cn.rows.BinaryRows;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.common.wire.ErrPacket;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.PacketKind;
import io.alrai.common.wire.Packets;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What the packets of a reply say, gathered until a reader is given it. Event loop only. */
final class ReplyItems {
  /** A part of a reply. */
  sealed interface Item {
    /** A result begins. */
    record Columns(List<ColumnDefinition> columns) implements Item {}

    /** A row of it, as text. */
    @SuppressWarnings("ArrayRecordComponent")
    record Row(byte[] payload) implements Item {}

    /** A result, or a statement without one, ends. */
    record End(OkPacket status) implements Item {}

    /** The reply ends with an error. */
    record Failure(AlraiException error) implements Item {}
  }

  private final BooleanSupplier binaryRows;
  private final List<Item> chunk = new ArrayList<>();
  private UnaryOperator<AlraiException> words = UnaryOperator.identity();
  private List<ColumnDefinition> columns = new ArrayList<>();
  private int rowBytes;
  private byte @Nullable [] partialRow;

  /** The items of a reply whose rows may come in the form of STMT_EXECUTE; asked for each row. */
  ReplyItems(BooleanSupplier binaryRows) {
    this.binaryRows = binaryRows;
  }

  /** Sets how the shard's errors are reported. */
  void failsAs(UnaryOperator<AlraiException> telling) {
    words = telling;
  }

  void add(Item item) {
    chunk.add(item);
  }

  void packet(PacketKind kind, ByteBuf buf, int payload, int size) {
    switch (kind) {
      case COLUMN_COUNT -> columns = new ArrayList<>();
      case COLUMN -> columns.add(ColumnDefinition.parse(buf, payload));
      case LAST_COLUMN -> {
        columns.add(ColumnDefinition.parse(buf, payload));
        chunk.add(new Item.Columns(List.copyOf(columns)));
      }
      case ROW -> row(buf, payload, size);
      case OK, RESULT_END -> chunk.add(new Item.End(OkPacket.parse(buf, payload, size)));
      case ERR ->
          chunk.add(
              new Item.Failure(words.apply(ErrPacket.parse(buf, payload, size).toException())));
      case FILE_WANTED, PREPARE_OK, PARAMETER, TEXT ->
          chunk.add(
              new Item.Failure(
                  new AlraiException(ErrorCode.ALRAI_INTERNAL, "unexpected reply of a shard")));
    }
  }

  private void row(ByteBuf buf, int payload, int size) {
    byte[] before = partialRow;
    int start = before == null ? 0 : before.length;
    byte[] bytes = new byte[start + size];
    if (before != null) {
      System.arraycopy(before, 0, bytes, 0, start);
    }
    buf.getBytes(payload, bytes, start, size);
    if (size == Packets.MAX_PAYLOAD) {
      partialRow = bytes;
      return;
    }
    partialRow = null;
    byte[] text = binaryRows.getAsBoolean() ? BinaryRows.decode(columns, bytes) : bytes;
    chunk.add(new Item.Row(text));
    rowBytes += text.length;
  }

  /** Moves all to a reader's queue; gives how many bytes of rows that were. */
  int moveAll(Queue<Item> to) {
    to.addAll(chunk);
    return moved();
  }

  /** Moves ends of results only, as nobody wants the rows. */
  int moveEnds(Queue<Item> to) {
    chunk.stream().filter(Item.End.class::isInstance).forEach(to::add);
    return moved();
  }

  private int moved() {
    int bytes = rowBytes;
    chunk.clear();
    rowBytes = 0;
    return bytes;
  }
}
