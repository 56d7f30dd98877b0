package io.alrai.cn.admin;

import io.alrai.cn.columnar.IndexReports;
import io.alrai.cn.result.ResultTable;
import io.alrai.cn.statement.StatementRun;
import io.alrai.columnar.check.IndexCheck;
import io.alrai.columnar.version.PartitionFigures;
import io.alrai.columnar.version.PartitionState;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Access;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.ColumnIndexDefinition;
import io.alrai.gms.api.GmsService;
import io.alrai.gms.api.Schema;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.AdminStatement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** SHOW COLUMNAR INDEX and CHECK COLUMNAR INDEX. Called on virtual threads. Thread-safe. */
public final class ColumnarStatements {
  private final IndexReports reports;

  /** Over indexes, wherever they are. */
  public ColumnarStatements(IndexReports reports) {
    this.reports = reports;
  }

  private static String schemaOf(StatementRun run, AdminStatement.TableName name) {
    String schema = name.schema().orElse(run.session().schema());
    if (schema.isEmpty()) {
      throw new AlraiException(ErrorCode.ER_NO_DB_ERROR, "No database selected");
    }
    return schema;
  }

  private static Table existing(Catalog catalog, String schema, String table) {
    return catalog
        .table(schema, table)
        .orElseThrow(() ->
            new AlraiException(
                ErrorCode.ER_NO_SUCH_TABLE, "Table '" + schema + "." + table + "' doesn't exist"));
  }

  /** One row for each index that the catalog names. */
  public void show(StatementRun run, GmsService gms, AdminStatement.ShowColumnIndexes statement) {
    ResultTable result =
        new ResultTable()
            .text("SCHEMA_NAME", 64)
            .text("TABLE_NAME", 64)
            .text("INDEX_NAME", 64)
            .text("COLUMNS", 1024)
            .text("STATE", 16)
            .number("PARTITIONS")
            .number("TABLE_ROWS")
            .number("DELTA_ROWS")
            .number("BYTES")
            .number("FRESHNESS_MS")
            .text("FED_BY", 1024)
            .text("REASON", 1024);
    for (Table table : tables(run, gms.catalog(), statement)) {
      for (ColumnIndexDefinition definition : table.columnIndexes()) {
        row(result, table, definition);
      }
    }
    result.writeTo(run.writer(), run.statusFlags());
  }

  private static List<Table> tables(
      StatementRun run, Catalog catalog, AdminStatement.ShowColumnIndexes statement) {
    if (statement.table().isPresent()) {
      AdminStatement.TableName name = statement.table().get();
      return List.of(existing(catalog, schemaOf(run, name), name.table()));
    }
    Access access = run.session().user().access(catalog);
    List<Table> tables = new ArrayList<>();
    for (Schema schema : catalog.schemas().values()) {
      schema.tables().values().stream()
          .filter(table -> access.sees(table.schema(), table.name()))
          .forEach(tables::add);
    }
    tables.sort(Comparator.comparing(Table::schema).thenComparing(Table::name));
    return tables;
  }

  private void row(ResultTable result, Table table, ColumnIndexDefinition definition) {
    Optional<IndexReports.Report> index = reports.report(table);
    PartitionFigures figures =
        index
            .map(IndexReports.Report::figures)
            .orElse(new PartitionFigures(new PartitionState.Building(0), 0, 0, 0));
    String state =
        switch (figures.state()) {
          case PartitionState.Building building -> "BUILDING";
          case PartitionState.Ready ready -> "READY";
          case PartitionState.Failed failed -> "FAILED";
        };
    String reason = figures.state() instanceof PartitionState.Failed failed ? failed.reason() : "";
    result.row(
        table.schema(),
        table.name(),
        definition.name(),
        String.join(",", definition.columns()),
        state,
        index.map(IndexReports.Report::partitions).orElse(0),
        figures.rows(),
        figures.deltaRows(),
        figures.bytes(),
        index.flatMap(IndexReports.Report::freshnessMillis).orElse(null),
        String.join(",", index.map(IndexReports.Report::feeders).orElse(List.of())),
        reason);
  }

  /** One row for each partition: how the index differs from the row store at one snapshot. */
  public void check(StatementRun run, GmsService gms, AdminStatement.CheckColumnIndex statement) {
    String schema = schemaOf(run, statement.table());
    Table table = existing(gms.catalog(), schema, statement.table().table());
    ColumnIndexDefinition definition =
        table.columnIndexes().stream()
            .filter(one -> one.name().equalsIgnoreCase(statement.name()))
            .findFirst()
            .orElseThrow(() ->
                new AlraiException(
                    ErrorCode.ER_KEY_DOES_NOT_EXITS,
                    "Key '"
                        + statement.name()
                        + "' doesn't exist in table '"
                        + table.name()
                        + "'"));
    List<IndexReports.Checked> checked =
        reports
            .compare(table)
            .orElseThrow(() ->
                new AlraiException(
                    ErrorCode.ALRAI_NODE_UNAVAILABLE,
                    "the column index "
                        + definition.name()
                        + " is not ready: see SHOW COLUMNAR INDEX"));
    ResultTable result =
        new ResultTable()
            .text("PARTITION", 64)
            .text("DN", 32)
            .number("ROWS")
            .number("MISSING")
            .number("SURPLUS")
            .number("DIFFERENT")
            .text("EXAMPLES", 4096);
    for (IndexReports.Checked part : checked) {
      IndexCheck.Outcome outcome = part.outcome();
      result.row(
          part.schema(),
          part.dn(),
          outcome.rows(),
          outcome.missing(),
          outcome.surplus(),
          outcome.different(),
          String.join("; ", outcome.examples()));
    }
    result.writeTo(run.writer(), run.statusFlags());
  }
}
