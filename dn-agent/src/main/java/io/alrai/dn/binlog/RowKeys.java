package io.alrai.dn.binlog;

import io.alrai.dn.link.KeyedTable;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.LongStream;

/**
 * Finds the keys of the rows that transactions touch, in some tables only. For one life of a
 * mysqld, in which a number of a table in the log stands for one definition of it. Not thread-safe.
 */
public final class RowKeys {
  private static final int KNOWN_TABLES = 4096;

  private final Function<TableName, List<KeyedTable>> wanted;
  private final Map<Long, Known> known = new HashMap<>();

  /** A table of the log; where no keys are wanted, without its columns. */
  private record Known(TableMap map, List<Key> keys) {}

  /** A key with the index of each of its columns in a row. */
  private record Key(KeyedTable table, List<Integer> columns) {}

  /**
   * A reader.
   *
   * @param wanted the keys that are followed of a table; asked again after {@link #forget}
   */
  public RowKeys(Function<TableName, List<KeyedTable>> wanted) {
    this.wanted = wanted;
  }

  /** Other keys are wanted from now on. */
  public void forget() {
    known.clear();
  }

  /**
   * The keys of all rows that a transaction touched, hashed by {@link KeyedTable#rowHash(long,
   * long)}; a key may occur more than once.
   *
   * @throws BinlogException where they are not known: its events are not held, a column is not
   *     there or has a type that is not known, more tables than are remembered
   */
  public long[] read(BinlogTransaction transaction) {
    if (transaction.tables().stream().allMatch(name -> wanted.apply(name).isEmpty())) {
      return new long[0];
    }
    LongStream.Builder touched = LongStream.builder();
    transaction.forEachEvent(event -> {
      switch (event.type()) {
        case EventType.TABLE_MAP -> table(event);
        case EventType.WRITE_ROWS, EventType.UPDATE_ROWS, EventType.DELETE_ROWS -> {
          Known table = known.get(TableMap.tableId(event));
          if (table == null) {
            throw new BinlogException(transaction.gtid() + " is of too many tables");
          }
          if (!table.keys.isEmpty()) {
            rows(event, table, touched);
          }
        }
        case EventType.PARTIAL_UPDATE_ROWS ->
            throw new BinlogException(transaction.gtid() + " has parts of rows only");
        default -> {}
      }
    });
    return touched.build().toArray();
  }

  private void table(Event event) {
    long id = TableMap.tableId(event);
    if (known.containsKey(id)) {
      return;
    }
    if (known.size() >= KNOWN_TABLES) {
      known.clear();
    }
    List<KeyedTable> keyed = wanted.apply(TableMap.name(event));
    if (keyed.isEmpty()) {
      known.put(id, new Known(new TableMap(TableMap.name(event), List.of()), List.of()));
      return;
    }
    TableMap map = TableMap.parse(event);
    List<Key> keys = keyed.stream().map(key -> new Key(key, indexes(map, key))).toList();
    known.put(id, new Known(map, keys));
  }

  private static List<Integer> indexes(TableMap map, KeyedTable key) {
    List<String> names = map.columns().stream().map(TableMap.Column::name).toList();
    List<Integer> found = new ArrayList<>();
    for (String name : key.columns()) {
      int index = names.indexOf(name);
      if (index < 0) {
        throw new BinlogException(map.name() + " has no column " + name);
      }
      found.add(index);
    }
    return found;
  }

  private static void rows(Event event, Known table, LongStream.Builder touched) {
    ByteBuf in = event.bytes().slice(event.body(), event.bodyEnd() - event.body());
    int count = TransactionRows.skipHead(in, event, table.map);
    int[] fields = new int[count];
    while (in.isReadable()) {
      image(in, table, fields);
      for (Key key : table.keys) {
        long row = key.table.rowHash();
        for (int column : key.columns) {
          int at = fields[column];
          if (at < 0) {
            throw new BinlogException("a key of " + key.table + " is NULL");
          }
          ByteBuf field = in.slice(at, in.writerIndex() - at);
          TableMap.Column type = table.map.columns().get(column);
          row = KeyedTable.rowHash(row, RowFields.integer(field, type));
        }
        touched.accept(row);
      }
    }
  }

  /** Notes where each field is; -1 for NULL. */
  private static void image(ByteBuf in, Known table, int[] fields) {
    ByteBuf nulls = in.readSlice((fields.length + 7) / 8);
    for (int i = 0; i < fields.length; i++) {
      if ((nulls.getByte(i / 8) >> i % 8 & 1) == 0) {
        fields[i] = in.readerIndex();
        RowFields.skip(in, table.map.columns().get(i));
      } else {
        fields[i] = -1;
      }
    }
  }
}
