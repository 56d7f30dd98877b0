package io.alrai.dn.binlog;

import io.alrai.common.changelog.RowChange;
import io.alrai.common.changelog.RowImage;
import io.alrai.common.changelog.TableChanges;
import io.alrai.common.type.Collations;
import io.alrai.common.wire.Lenenc;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Decodes the rows of transactions, of those tables only that somebody follows. A rows event:
 *
 * <pre>
 *  table id 6 | flags 2 | extra length 2 (itself included) | extra | count | present bits
 *  | present bits of the second image, of an update | { null bits | fields } ...
 * </pre>
 *
 * Keeps nothing between transactions: the log tells the tables again in each. Any thread.
 */
public final class TransactionRows {
  private final RowFields fields;
  private final Predicate<TableName> followed;

  /**
   * A decoder.
   *
   * @param collations all that the mysqld knows
   * @param followed the tables whose rows are wanted
   */
  public TransactionRows(Collations collations, Predicate<TableName> followed) {
    fields = new RowFields(new TextDecoding(collations));
    this.followed = followed;
  }

  /**
   * What a transaction did, by table, each in its order.
   *
   * @throws BinlogException when its events are not held, an image is not full, or a value cannot
   *     be represented: zero dates, unknown character sets
   */
  public List<TableChanges> decode(BinlogTransaction transaction) {
    if (transaction.tables().stream().noneMatch(followed)) {
      return List.of();
    }
    Map<Long, Optional<TableMap>> tables = new HashMap<>();
    Map<TableName, TableChanges> changes = new HashMap<>();
    List<TableChanges> inOrder = new ArrayList<>();
    transaction.forEachEvent(event -> {
      switch (event.type()) {
        case EventType.TABLE_MAP ->
            tables.put(
                TableMap.tableId(event),
                followed.test(TableMap.name(event))
                    ? Optional.of(TableMap.parse(event))
                    : Optional.empty());
        case EventType.WRITE_ROWS, EventType.UPDATE_ROWS, EventType.DELETE_ROWS -> {
          Optional<TableMap> table = tables.getOrDefault(TableMap.tableId(event), Optional.empty());
          table.ifPresent(
              of -> rows(event, of, changes.computeIfAbsent(of.name(), n -> make(n, inOrder))));
        }
        case EventType.PARTIAL_UPDATE_ROWS ->
            throw new BinlogException(
                "partial JSON updates: binlog_row_value_options must be empty");
        default -> {}
      }
    });
    return inOrder;
  }

  private static TableChanges make(TableName name, List<TableChanges> inOrder) {
    TableChanges made = new TableChanges(name.schema(), name.table(), new ArrayList<>());
    inOrder.add(made);
    return made;
  }

  private void rows(Event event, TableMap table, TableChanges into) {
    ByteBuf in = event.bytes().slice(event.body(), event.bodyEnd() - event.body());
    skipHead(in, event, table);
    while (in.isReadable()) {
      RowImage first = fields.read(in, table);
      into.changes()
          .add(
              switch (event.type()) {
                case EventType.WRITE_ROWS -> new RowChange.Insert(first);
                case EventType.DELETE_ROWS -> new RowChange.Delete(first);
                default -> new RowChange.Update(first, fields.read(in, table));
              });
    }
  }

  /**
   * Skips what stands in front of the rows.
   *
   * @return how many fields each row has
   * @throws BinlogException when these are not the columns of the table, or not all of them
   */
  static int skipHead(ByteBuf in, Event event, TableMap table) {
    in.skipBytes(8);
    in.skipBytes(in.readUnsignedShortLE() - 2);
    int count = Math.toIntExact(Lenenc.read(in));
    if (count != table.columns().size()) {
      throw new BinlogException("a row of " + table.name() + " with " + count + " columns");
    }
    boolean update = event.type() == EventType.UPDATE_ROWS;
    for (int image = 0; image < (update ? 2 : 1); image++) {
      ByteBuf present = in.readSlice((count + 7) / 8);
      for (int i = 0; i < count; i++) {
        if ((present.getByte(i / 8) >> i % 8 & 1) == 0) {
          throw new BinlogException("a partial row of " + table.name() + ": no full row image");
        }
      }
    }
    return count;
  }
}
