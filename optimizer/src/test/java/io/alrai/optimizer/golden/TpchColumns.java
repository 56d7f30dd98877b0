package io.alrai.optimizer.golden;

import io.alrai.columnar.scan.ColumnKind;
import io.alrai.columnar.scan.ColumnShape;
import io.alrai.columnar.scan.ColumnTable;
import io.alrai.columnar.scan.TableShape;
import io.alrai.columnar.segment.MemoryBudget;
import io.alrai.columnar.version.Partition;
import io.alrai.columnar.version.PartitionLoader;
import io.alrai.columnar.version.ResolvedTimestamp;
import io.alrai.common.changelog.RowImage;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.Table;
import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/** The TPC-H tables as column indexes, filled by the generator. */
final class TpchColumns implements AutoCloseable {
  static final HlcTimestamp AT = new HlcTimestamp(10);

  private final MemoryBudget budget = new MemoryBudget(512 << 20);
  private final List<Partition> open = new ArrayList<>();

  /** A table in two partitions, so that plans meet several. */
  List<ColumnTable> load(Table table, double scale) {
    List<ColumnShape> columns = new ArrayList<>();
    for (Column column : table.columns()) {
      columns.add(new ColumnShape(column.name(), kind(column), column.nullable()));
    }
    List<Integer> key = new ArrayList<>();
    for (String name : table.primaryKey()) {
      key.add(table.columns().indexOf(table.column(name).orElseThrow()));
    }
    TableShape shape = new TableShape(columns, key);
    List<ColumnTable> partitions = new ArrayList<>();
    List<PartitionLoader> loaders = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      ResolvedTimestamp resolved = new ResolvedTimestamp();
      resolved.advance(AT);
      Partition partition = new Partition(table.name() + "[" + i + "]", shape, budget, resolved);
      open.add(partition);
      partitions.add(partition);
      loaders.add(new PartitionLoader(partition));
    }
    int number = 0;
    for (TpchEntity row : TpchTable.getTable(table.name()).createGenerator(scale, 1, 1)) {
      loaders.get(number++ % loaders.size()).add(image(table, row.toLine()));
    }
    loaders.forEach(loader -> loader.finish(AT));
    return partitions;
  }

  private static ColumnKind kind(Column column) {
    return switch (column.type()) {
      case INT, BIGINT -> new ColumnKind.Int(false);
      case DECIMAL -> new ColumnKind.Decimal(column.length(), column.scale());
      case DATE -> new ColumnKind.Date();
      default -> new ColumnKind.Text(column.collation());
    };
  }

  private static RowImage image(Table table, String line) {
    String[] values = line.split("\\|", -1);
    RowImage image = new RowImage(table.columns().size());
    for (int i = 0; i < table.columns().size(); i++) {
      Column column = table.columns().get(i);
      switch (column.type()) {
        case INT, BIGINT -> image.put(i, Long.parseLong(values[i]));
        case DECIMAL ->
            image.put(
                i,
                new BigDecimal(values[i])
                    .setScale(column.scale())
                    .unscaledValue()
                    .longValueExact());
        case DATE -> image.put(i, LocalDate.parse(values[i]).toEpochDay());
        default -> image.put(i, values[i].getBytes(StandardCharsets.UTF_8));
      }
    }
    return image;
  }

  @Override
  public void close() {
    open.forEach(Partition::close);
  }
}
