package io.alrai.cn.ddl.rule;

import io.alrai.cn.ddl.job.DdlSession;
import io.alrai.cn.ddl.job.NameRules;
import io.alrai.cn.ddl.job.SqlWarning;
import io.alrai.common.error.AlraiException;
import io.alrai.common.sql.Sql;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.DdlJob.Target;
import io.alrai.gms.api.Schema;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.DdlStatement.NewColumnIndex;
import io.alrai.optimizer.api.PlacementClause;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A table that is to be made.
 *
 * @param shadowSql what makes its shadow, with the client's text
 * @param unread the same for a table of a schema that is nowhere; empty where the CN reads it all
 * @param clause how it is placed; empty for the default
 * @param tableGroup the TABLEGROUP clause
 * @param columnIndex that it is to have at once
 * @param source the table it is like, whose placement it gets
 * @param shadowSchema under which {@code shadowSql} runs: for a query that of the session
 * @param filled whether a query fills it, after the job
 * @param referred the tables that its foreign keys name
 * @param likely placement without {@code clause}
 * @param warnings of its text
 */
public record NewTable(
    String schema,
    String name,
    boolean ifNotExists,
    Sql shadowSql,
    Optional<Sql> unread,
    Optional<PlacementClause> clause,
    Optional<String> tableGroup,
    Optional<NewColumnIndex> columnIndex,
    Optional<Source> source,
    String shadowSchema,
    boolean filled,
    Set<Target> referred,
    LikelyPlacement likely,
    List<SqlWarning> warnings) {
  public NewTable {
    referred = Set.copyOf(referred);
    warnings = List.copyOf(warnings);
  }

  /** The table after LIKE. */
  public record Source(String schema, String name) {
    public Table in(Catalog catalog) {
      Schema found = NameRules.existingSchema(catalog, schema);
      return NameRules.existing(catalog, found.name(), name);
    }
  }

  /** Jobs are about tables that all sessions see. */
  private static void refuse(boolean temporary) {
    if (temporary) {
      throw AlraiException.unsupported("'CREATE TEMPORARY TABLE' here");
    }
  }

  public static NewTable of(DdlStatement.CreateTable create, DdlSession session) {
    refuse(create.temporary());
    String schema = NameRules.schemaOf(create.name(), session);
    boolean filled = create.query().isPresent();
    String name = create.name().table();
    Sql shadow = filled ? Sql.EMPTY.name(schema, name) : Sql.EMPTY.name(name);
    StorageEngines.Allowed body = StorageEngines.in(create.body(), session);
    Sql text =
        Sql.of(" ")
            .written(body.text())
            // rows over empty tables, as of COUNT(*), are none of the table's and stop nothing
            .add(
                create
                    .query()
                    .map(query -> Sql.of(" IGNORE AS ").written(query.text()))
                    .orElse(Sql.EMPTY));
    return new NewTable(
        schema,
        name,
        create.ifNotExists(),
        Sql.of("CREATE TABLE ").add(shadow).add(text),
        Optional.of(Sql.of("CREATE TABLE ").name(NameRules.NOWHERE, name).add(text)),
        create.partitioning(),
        create.tableGroup(),
        create.columnIndex(),
        Optional.empty(),
        filled ? session.currentSchema() : schema,
        filled,
        ReferredTables.in(create.body(), schema, session),
        LikelyPlacement.of(create.body(), session),
        body.ofCreate(name));
  }

  public static NewTable of(DdlStatement.CreateTableLike like, DdlSession session) {
    refuse(like.temporary());
    Source source = new Source(NameRules.schemaOf(like.source(), session), like.source().table());
    String schema = NameRules.schemaOf(like.name(), session);
    return new NewTable(
        schema,
        like.name().table(),
        like.ifNotExists(),
        Sql.of("CREATE TABLE ")
            .name(like.name().table())
            .words(" LIKE ")
            .name(source.schema(), source.name()),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(source),
        schema,
        false,
        Set.of(),
        LikelyPlacement.UNKNOWN,
        List.of());
  }
}
