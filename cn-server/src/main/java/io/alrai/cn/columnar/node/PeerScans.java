package io.alrai.cn.columnar.node;

import io.alrai.cn.columnar.DecimalImages;
import io.alrai.cn.columnar.RemotePlans;
import io.alrai.cn.columnar.remote.NodeLinks;
import io.alrai.cn.columnar.wire.NodeMessages;
import io.alrai.columnar.scan.ColumnKind;
import io.alrai.columnar.scan.ColumnShape;
import io.alrai.columnar.scan.TableShape;
import io.alrai.columnar.segment.MemoryBudget;
import io.alrai.columnar.version.LoadedRows;
import io.alrai.columnar.version.PartitionSnapshot;
import io.alrai.common.changelog.RowImage;
import io.alrai.executor.exchange.PlanRows;
import io.alrai.executor.fragment.PlanNode.ColumnScan;
import io.alrai.executor.fragment.ValueType;
import io.alrai.executor.task.Cancellation;
import io.alrai.gms.api.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Reads partitions that other nodes have, at a snapshot: the columns and, by the plan's condition
 * on the table, the rows that it wants. Blocking; thread-safe.
 */
public final class PeerScans {
  private final NodeLinks nodes;
  private final MemoryBudget budget;

  /**
   * Asks these nodes.
   *
   * @param budget for the rows of all plans together
   */
  public PeerScans(NodeLinks nodes, MemoryBudget budget) {
    this.nodes = nodes;
    this.budget = budget;
  }

  /**
   * Reads what a plan wants of a share.
   *
   * @return to be closed
   * @throws io.alrai.common.error.AlraiException ER_OUT_OF_RESOURCES past the budget, what the node
   *     failed with, 1317
   */
  PartitionSnapshot fetch(
      RemotePlans.Sent sent, Table table, NodeMessages.Share share, Cancellation cancellation) {
    ColumnScan scan = WantedColumns.of(sent.plan(), table);
    NodeMessages.Query query =
        new NodeMessages.Query(
            new RemotePlans.Sent(
                WantedColumns.plan(scan), List.of(table), sent.at(), sent.mostBytes()),
            List.of(share));
    TableShape shape = shape(scan);
    try (PlanRows rows = nodes.run(share.node(), query, cancellation);
        LoadedRows loaded = new LoadedRows(shape, budget)) {
      while (rows.next()) {
        loaded.add(row(rows, shape));
      }
      return loaded.finish(sent.at());
    }
  }

  private static RowImage row(PlanRows rows, TableShape shape) {
    RowImage row = new RowImage(shape.columns().size());
    for (int i = 0; i < shape.columns().size(); i++) {
      if (!rows.isNull(i)) {
        switch (rows.columns().get(i).kind()) {
          case BIGINT, UNSIGNED, DATE, DATETIME -> row.put(i, rows.longAt(i));
          case DOUBLE -> row.put(i, Double.doubleToRawLongBits(rows.doubleAt(i)));
          case STRING -> row.put(i, rows.bytesAt(i));
          case DECIMAL ->
              DecimalImages.put(
                  row, i, (ColumnKind.Decimal) shape.columns().get(i).kind(), rows.decimalAt(i));
        }
      }
    }
    return row;
  }

  private static TableShape shape(ColumnScan scan) {
    List<ColumnShape> columns = new ArrayList<>();
    for (int i = 0; i < scan.names().size(); i++) {
      ValueType type = scan.columns().get(i);
      columns.add(new ColumnShape(scan.names().get(i), kind(type), type.nullable()));
    }
    return new TableShape(columns, List.of());
  }

  private static ColumnKind kind(ValueType type) {
    return switch (type.kind()) {
      case BIGINT -> new ColumnKind.Int(false);
      case UNSIGNED -> new ColumnKind.Int(true);
      case DECIMAL -> new ColumnKind.Decimal(type.precision(), type.scale());
      case DOUBLE -> new ColumnKind.Floating(false);
      case DATE -> new ColumnKind.Date();
      case DATETIME -> new ColumnKind.DateTime(type.scale());
      case STRING -> new ColumnKind.Text(type.collation().name().toLowerCase(Locale.ROOT));
    };
  }
}
