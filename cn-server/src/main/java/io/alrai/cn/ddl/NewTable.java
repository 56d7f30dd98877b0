package io.alrai.cn.ddl;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Schema;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.DdlStatement.NewColumnIndex;
import io.alrai.optimizer.api.DdlStatement.PlacementClause;
import java.util.Optional;

/**
 * A table that is to be made.
 *
 * @param shadowSql what makes its shadow, with the client's text
 * @param clause how it is placed; empty for the default
 * @param tableGroup the TABLEGROUP clause
 * @param columnIndex that it is to have at once
 * @param source the table it is like, whose placement it gets
 */
record NewTable(
    String schema,
    String name,
    boolean ifNotExists,
    String shadowSql,
    Optional<PlacementClause> clause,
    Optional<String> tableGroup,
    Optional<NewColumnIndex> columnIndex,
    Optional<Source> source) {
  /** The table behind LIKE. */
  record Source(String schema, String name) {
    Table in(Catalog catalog) {
      Schema found = NameRules.existingSchema(catalog, schema);
      return NameRules.existing(catalog, found.name(), name);
    }
  }

  static NewTable of(DdlStatement.CreateTable create, DdlSession session) {
    if (create.temporary()) {
      throw new AlraiException(
          ErrorCode.ER_NOT_SUPPORTED_YET,
          "This version of Alrai doesn't yet support 'CREATE TEMPORARY TABLE' here");
    }
    return new NewTable(
        NameRules.schemaOf(create.name(), session),
        create.name().table(),
        create.ifNotExists(),
        "CREATE TABLE " + SqlText.name(create.name().table()) + " " + create.body(),
        create.partitioning(),
        create.tableGroup(),
        create.columnIndex(),
        Optional.empty());
  }

  static NewTable of(DdlStatement.CreateTableLike like, DdlSession session) {
    Source source = new Source(NameRules.schemaOf(like.source(), session), like.source().table());
    return new NewTable(
        NameRules.schemaOf(like.name(), session),
        like.name().table(),
        like.ifNotExists(),
        "CREATE TABLE "
            + SqlText.name(like.name().table())
            + " LIKE "
            + SqlText.qualified(source.schema(), source.name()),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(source));
  }
}
