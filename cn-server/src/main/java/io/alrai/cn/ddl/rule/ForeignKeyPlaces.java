package io.alrai.cn.ddl.rule;

import io.alrai.cn.ddl.job.ForeignKeyTies;
import io.alrai.cn.ddl.job.JobRun;
import io.alrai.cn.ddl.job.NameRules;
import io.alrai.cn.ddl.job.TableText;
import io.alrai.cn.ddl.job.TableText.ForeignKey;
import io.alrai.cn.ddl.rule.ForeignKeyRules.Placed;
import io.alrai.common.error.AlraiException;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Schema;
import io.alrai.gms.api.Table;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Whether foreign keys can be kept where a table is, or would be: its own, and those of tables that
 * came before it.
 */
public final class ForeignKeyPlaces {
  private final JobRun run;
  private final String schema;
  private final ForeignKeyTies ties;

  public ForeignKeyPlaces(JobRun run, String schema) {
    this(run, schema, run.ties(schema));
  }

  public ForeignKeyPlaces(JobRun run, String schema, ForeignKeyTies ties) {
    this.run = run;
    this.schema = schema;
    this.ties = ties;
  }

  /** Why they cannot be kept there. */
  public Optional<AlraiException> refusal(Placed table, TableText text) {
    Catalog catalog = run.gms().catalog();
    Schema found = NameRules.existingSchema(catalog, schema);
    ForeignKeyRules rules = new ForeignKeyRules(found);
    Optional<AlraiException> own = rules.refusal(table, text, isUnchecked());
    if (own.isPresent()) {
      return own;
    }
    for (String name : ties.referring(table.name())) {
      Table child = found.tables().get(name);
      if (child != null && !name.equals(table.name())) {
        TableText childText = TableText.of(run.readText(run.firstShadow(schema), name));
        Optional<AlraiException> others =
            rules.refusal(child, childText, catalog.tableGroup(child), table);
        if (others.isPresent()) {
          return others;
        }
      }
    }
    return Optional.empty();
  }

  private boolean isUnchecked() {
    return !run.session().checksForeignKeys();
  }

  /**
   * Has them kept there.
   *
   * @throws TablesApart where the tables that they tie to it would have to be moved, itself too if
   *     it is there already
   */
  public void require(Placed table, TableText text) {
    Optional<AlraiException> refusal = refusal(table, text);
    if (refusal.isEmpty()) {
      return;
    }
    Schema found = NameRules.existingSchema(run.gms().catalog(), schema);
    Set<String> tied = new HashSet<>(ties.referring(table.name()));
    text.foreignKeys().stream().map(ForeignKey::parent).forEach(tied::add);
    tied.add(table.name());
    tied.removeIf(name -> !found.tables().containsKey(name));
    throw new TablesApart(schema, tied, refusal.get());
  }
}
