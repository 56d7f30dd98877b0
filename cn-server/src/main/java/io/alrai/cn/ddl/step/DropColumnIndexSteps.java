package io.alrai.cn.ddl.step;

import io.alrai.cn.ddl.job.DdlOutcome;
import io.alrai.cn.ddl.job.DdlSession;
import io.alrai.cn.ddl.job.DdlSteps;
import io.alrai.cn.ddl.job.JobRun;
import io.alrai.cn.ddl.job.NameRules;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DdlJob.Target;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.DdlStatement.AlterKind;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** DROP INDEX of a column index: only the catalog changes, and memory is freed afterwards. */
final class DropColumnIndexSteps implements DdlSteps {
  private final String schema;
  private final String table;

  private DropColumnIndexSteps(String schema, String table) {
    this.schema = schema;
    this.table = table;
  }

  /** If that is all that the statement does. */
  static Optional<DdlSteps> of(DdlStatement.AlterTable alter, DdlSession session, Catalog catalog) {
    if (alter.actions().size() != 1 || alter.renameTo().isPresent()) {
      return Optional.empty();
    }
    DdlStatement.AlterAction action = alter.actions().getFirst();
    String text = action.text().toUpperCase(Locale.ROOT);
    if (action.kind() != AlterKind.OTHER
        || action.words().isEmpty()
        || !(text.startsWith("DROP INDEX") || text.startsWith("DROP KEY"))) {
      return Optional.empty();
    }
    String name = action.words().getLast();
    String schema = NameRules.schemaOf(alter.name(), session);
    return catalog
        .table(schema, alter.name().table())
        .filter(table ->
            table.columnIndexes().stream().anyMatch(index -> index.name().equalsIgnoreCase(name)))
        .map(table -> new DropColumnIndexSteps(schema, table.name()));
  }

  @Override
  public String kind() {
    return "DROP_COLUMN_INDEX";
  }

  @Override
  public Set<Target> targets() {
    return Set.of(new Target(schema, table));
  }

  @Override
  public Optional<DdlOutcome> check(Catalog catalog) {
    NameRules.existing(catalog, schema, table);
    return Optional.empty();
  }

  @Override
  public DdlOutcome forward(JobRun run) {
    Table known = NameRules.existing(run.gms().catalog(), schema, table);
    run.finish(List.of(new CatalogCommand.PutTable(known.withColumnIndexes(List.of()))));
    return DdlOutcome.QUIET;
  }

  @Override
  public void back(JobRun run) {
    // the one change ends the job
  }
}
