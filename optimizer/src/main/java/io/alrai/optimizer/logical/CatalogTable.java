package io.alrai.optimizer.logical;

import io.alrai.gms.api.Column;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.stats.TableStatistics;
import java.util.List;
import org.apache.calcite.plan.RelOptAbstractTable;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.logical.LogicalTableScan;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.util.ImmutableBitSet;

/** A table of the catalog as a leaf of trees, with what is known of its rows. */
public final class CatalogTable extends RelOptAbstractTable {
  private final Table table;
  private final TableStatistics statistics;

  private CatalogTable(Table table, RelDataType rowType, TableStatistics statistics) {
    super(null, table.name(), rowType);
    this.table = table;
    this.statistics = statistics;
  }

  /** A scan of all columns that the analytical path can read; the others are left out. */
  static TableScan scan(RelOptCluster cluster, Table table, TableStatistics statistics) {
    RelDataTypeFactory.Builder fields = cluster.getTypeFactory().builder();
    ValueTypes types = new ValueTypes(cluster.getTypeFactory());
    for (Column column : table.columns()) {
      try {
        fields.add(column.name(), types.relType(column));
      } catch (NotCovered e) {
        continue; // a statement that names it finds no such column and is not covered
      }
    }
    return LogicalTableScan.create(
        cluster, new CatalogTable(table, fields.build(), statistics), List.of());
  }

  /** That a scan reads. */
  public static CatalogTable of(RelNode scan) {
    return (CatalogTable) java.util.Objects.requireNonNull(scan.getTable());
  }

  /** The catalog's record. */
  public Table table() {
    return table;
  }

  /** What is known of its rows. */
  public TableStatistics statistics() {
    return statistics;
  }

  @Override
  public double getRowCount() {
    return statistics.rows();
  }

  @Override
  public List<String> getQualifiedName() {
    return List.of(table.schema(), table.name());
  }

  @Override
  public boolean isKey(ImmutableBitSet columns) {
    return getKeys().stream().anyMatch(columns::contains);
  }

  @Override
  public List<ImmutableBitSet> getKeys() {
    List<String> names = getRowType().getFieldNames();
    return names.containsAll(table.primaryKey())
        ? List.of(ImmutableBitSet.of(table.primaryKey().stream().map(names::indexOf).toList()))
        : List.of();
  }
}
