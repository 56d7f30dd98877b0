package io.alrai.cn.ddl;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DdlJob.Target;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.DdlStatement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** DROP VIEW: the catalog, then every shadow; nothing that could be refused in between. */
final class DropViewsSteps implements DdlSteps {
  private final DdlStatement.DropViews drop;
  private final Set<Target> names = new LinkedHashSet<>();

  DropViewsSteps(DdlStatement.DropViews drop, DdlSession session) {
    this.drop = drop;
    for (TableName name : drop.names()) {
      if (!names.add(new Target(NameRules.schemaOf(name, session), name.table()))) {
        throw new AlraiException(
            ErrorCode.ER_NONUNIQ_TABLE, "Not unique table/alias: '" + name.table() + "'");
      }
    }
  }

  @Override
  public String kind() {
    return "DROP_VIEW";
  }

  @Override
  public Set<Target> targets() {
    return Set.copyOf(names);
  }

  @Override
  public Optional<DdlOutcome> check(Catalog catalog) {
    List<Target> missing = new ArrayList<>();
    for (Target name : names) {
      if (catalog.table(name.schema(), name.table()).isPresent()) {
        throw NameRules.wrongObject(name.schema(), name.table(), "VIEW");
      }
      if (catalog.view(name.schema(), name.table()).isEmpty()) {
        missing.add(name);
      }
    }
    if (!missing.isEmpty() && !drop.ifExists()) {
      throw new AlraiException(
          ErrorCode.ER_BAD_TABLE_ERROR,
          missing.stream()
              .map(DropViewsSteps::text)
              .collect(Collectors.joining(",", "Unknown table '", "'")));
    }
    return missing.size() == names.size()
        ? Optional.of(DdlOutcome.with(notes(missing)))
        : Optional.empty();
  }

  private static String text(Target name) {
    return name.schema() + "." + name.table();
  }

  private static List<SqlWarning> notes(List<Target> missing) {
    return missing.stream()
        .map(name ->
            SqlWarning.note(
                ErrorCode.ER_BAD_TABLE_ERROR.errno(), "Unknown table '" + text(name) + "'"))
        .toList();
  }

  @Override
  public DdlOutcome forward(JobRun run) {
    List<Target> missing = new ArrayList<>();
    if (!run.isOnlyForward()) {
      List<CatalogCommand> changes = new ArrayList<>();
      for (Target name : names) {
        if (run.gms().catalog().view(name.schema(), name.table()).isPresent()) {
          changes.add(new CatalogCommand.DropView(name.schema(), name.table()));
        } else {
          missing.add(name);
        }
      }
      run.onlyForward(Map.of(), changes);
    } else {
      run.awaitCatalog();
    }
    String sql =
        names.stream()
            .map(name -> SqlText.qualified(name.schema(), name.table()))
            .collect(Collectors.joining(", ", "DROP VIEW IF EXISTS ", ""));
    run.at(Place.shadows("", run.dns()), place -> run.executeCopy(place, sql));
    run.finish(List.of());
    return DdlOutcome.with(notes(missing));
  }

  @Override
  public void back(JobRun run) {
    // nothing has changed before the catalog has
  }
}
