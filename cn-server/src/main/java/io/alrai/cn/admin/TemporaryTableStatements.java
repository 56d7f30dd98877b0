package io.alrai.cn.admin;

import io.alrai.cn.ddl.rule.TemporaryDefinition;
import io.alrai.cn.session.Session;
import io.alrai.cn.session.TemporaryTables;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.system.CnParts;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.OkPacket;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.DdlStatement.FillingQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * DDL of temporary tables: a mysqld has them on the connection that the session keeps for them, in
 * the shadow schema of their own, and does what the client says; the session notes what became of
 * it. Virtual threads.
 */
final class TemporaryTableStatements {
  private final CnParts parts;
  private final FilledTables filled;

  TemporaryTableStatements(CnParts parts, FilledTables filled) {
    this.parts = parts;
    this.filled = filled;
  }

  /**
   * Runs a statement about temporary tables; a DROP TABLE of others, too, is left with these.
   *
   * @return the answer, or what is left to be done; empty for a statement about other tables
   * @throws AlraiException the mysqld's error
   */
  Optional<Outcome> run(StatementRun run, DdlStatement statement) {
    run.shards().takeWarnings();
    return switch (statement) {
      case DdlStatement.CreateTable create when create.temporary() ->
          Optional.of(create(run, create));
      case DdlStatement.CreateTableLike like when like.temporary() ->
          Optional.of(create(run, like.name(), Sql.client(like.sql())));
      case DdlStatement.AlterTable alter when isOwn(run, alter.name()) ->
          Optional.of(alter(run, alter));
      case DdlStatement.TruncateTable truncate when isOwn(run, truncate.name()) -> {
        CnAdmin.commitOpen(run);
        yield Optional.of(done(run, OwnConnection.execute(run, Sql.client(truncate.sql()))));
      }
      case DdlStatement.DropTables drop
          when drop.names().stream().anyMatch(name -> isOwn(run, name)) ->
          Optional.of(drop(run, drop));
      case DdlStatement.CreateTableLike like when isOwn(run, like.source()) ->
          Optional.of(new Outcome.Rest(likeOwn(run, like)));
      case DdlStatement.CreateTrigger trigger when isOwn(run, trigger.table()) ->
          throw new AlraiException(
              ErrorCode.ER_TRG_ON_VIEW_OR_TEMP_TABLE,
              "Trigger's '" + trigger.table().table() + "' is view or temporary table");
      case DdlStatement.MakeSingle single
          when single.names().stream().anyMatch(name -> isOwn(run, name)) ->
          throw AlraiException.unsupported("SINGLE of a temporary table");
      case DdlStatement.CreateColumnIndex index when isOwn(run, index.table()) ->
          throw AlraiException.unsupported("a column index of a temporary table");
      case DdlStatement.OnTable _,
          DdlStatement.OnDatabase _,
          DdlStatement.OnView _,
          DdlStatement.OnRoutine _,
          DdlStatement.OnAccount _ ->
          Optional.empty();
    };
  }

  /** A table of the database's like a temporary one. */
  private static DdlStatement likeOwn(StatementRun run, DdlStatement.CreateTableLike like) {
    CnAdmin.commitOpen(run);
    Session session = run.session();
    String body =
        OwnConnection.definition(
            run,
            schema(run, like.name()),
            Sql.of("LIKE ").add(OwnConnection.quoted(session, like.source())));
    Sql sql =
        Sql.of(like.ifNotExists() ? "CREATE TABLE IF NOT EXISTS " : "CREATE TABLE ")
            .add(OwnConnection.quoted(session, like.name()))
            .words(" ")
            .written(body);
    return new DdlStatement.CreateTable(
        sql.text(),
        like.name(),
        like.ifNotExists(),
        false,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        body,
        Optional.empty());
  }

  /** What came of a statement. */
  sealed interface Outcome {
    /** All is done. */
    record Done(OkPacket ok, List<Condition> conditions) implements Outcome {
      public Done {
        conditions = List.copyOf(conditions);
      }
    }

    /** The rest is about tables of all sessions. */
    record Rest(DdlStatement statement) implements Outcome {}
  }

  /**
   * A view's query must not name one.
   *
   * @throws AlraiException 1352
   */
  void refuseIn(StatementRun run, String query) {
    OwnConnection.namedIn(run.session(), query).stream()
        .findFirst()
        .ifPresent(table -> {
          throw new AlraiException(
              ErrorCode.ER_VIEW_SELECT_TMPTABLE,
              "View's SELECT refers to a temporary table '" + table.name() + "'");
        });
  }

  private static Outcome.Done done(StatementRun run, OkPacket ok) {
    return new Outcome.Done(ok, run.shards().takeWarnings());
  }

  private static String schema(StatementRun run, TableName name) {
    return name.schema().orElse(run.session().schema());
  }

  private static Optional<Table> own(StatementRun run, TableName name) {
    return run.session().temporary().table(schema(run, name), name.table());
  }

  private static boolean isOwn(StatementRun run, TableName name) {
    return own(run, name).isPresent();
  }

  private Outcome.Done create(StatementRun run, TableName name, Sql sql) {
    TemporaryDefinition.requireName(name.table());
    requireSchema(run, name);
    boolean existed = isOwn(run, name);
    try {
      Outcome.Done done = done(run, OwnConnection.execute(run, sql));
      if (!existed) {
        note(run, name);
        changed(run, true);
      }
      return done;
    } finally {
      giveBackUnused(run);
    }
  }

  /** The query's columns come of the tables' shadows, as of any table that a query fills. */
  private Outcome create(StatementRun run, DdlStatement.CreateTable create) {
    if (create.query().isEmpty()) {
      return create(run, create.name(), Sql.client(create.sql()));
    }
    FillingQuery query = create.query().get();
    filled.requireQuery(run, query);
    boolean existed = isOwn(run, create.name());
    Sql sql =
        Sql.of("CREATE TEMPORARY TABLE ")
            .words(create.ifNotExists() ? "IF NOT EXISTS " : "")
            .add(OwnConnection.quoted(run.session(), create.name()))
            .words(" ")
            .written(create.body())
            .add(OwnConnection.columnsOf(query));
    Outcome.Done made = create(run, create.name(), sql);
    if (existed) {
      return made;
    }
    Table table = own(run, create.name()).orElseThrow();
    OkPacket ok = filled.fill(run, table, query, () -> drop(run, table));
    List<Condition> told = new ArrayList<>(made.conditions());
    told.addAll(run.session().last().diagnostics().conditions());
    return new Outcome.Done(ok, told);
  }

  private Outcome alter(StatementRun run, DdlStatement.AlterTable alter) {
    CnAdmin.commitOpen(run);
    Table before = own(run, alter.name()).orElseThrow();
    Outcome.Done done = done(run, OwnConnection.execute(run, Sql.client(alter.sql())));
    TableName after = alter.renameTo().orElse(alter.name());
    run.session().temporary().remove(before);
    note(run, after);
    return done;
  }

  /** With other tables in the statement these come first: they may be refused. */
  private Outcome drop(StatementRun run, DdlStatement.DropTables drop) {
    if (drop.temporary()) {
      return dropTemporary(run, drop);
    }
    CnAdmin.commitOpen(run);
    List<TableName> others = new ArrayList<>();
    List<Table> own = new ArrayList<>();
    for (TableName name : drop.names()) {
      own(run, name).ifPresentOrElse(own::add, () -> others.add(name));
    }
    OkPacket ok = new OkPacket(0, 0, 0, 0, "");
    for (Table table : own) {
      ok = drop(run, table);
    }
    return others.isEmpty()
        ? done(run, ok)
        : new Outcome.Rest(
            new DdlStatement.DropTables(
                Sql.of(drop.ifExists() ? "DROP TABLE IF EXISTS " : "DROP TABLE ")
                    .add(
                        Sql.join(
                            ", ",
                            others.stream()
                                .map(name -> OwnConnection.quoted(run.session(), name))
                                .toList()))
                    .text(),
                others,
                drop.ifExists(),
                false));
  }

  /** Some of them may not be there: those that are go all the same. */
  private Outcome dropTemporary(StatementRun run, DdlStatement.DropTables drop) {
    try {
      return done(run, OwnConnection.execute(run, Sql.client(drop.sql())));
    } finally {
      for (TableName name : drop.names()) {
        own(run, name)
            .filter(table -> !isThere(run, table))
            .ifPresent(run.session().temporary()::remove);
      }
      changed(run, false);
      giveBackUnused(run);
    }
  }

  private static void changed(StatementRun run, boolean made) {
    if (run.session().transaction().open()) {
      run.session().temporary().changedInside(made);
    }
  }

  /** Where it is gone there may be the shadow of another of its name. */
  private static boolean isThere(StatementRun run, Table table) {
    try {
      String definition =
          OwnConnection.query(run, Sql.of("SHOW CREATE TABLE ").add(quoted(table)))
              .getFirst()
              .get(1);
      return definition != null && definition.startsWith("CREATE TEMPORARY TABLE");
    } catch (AlraiException e) {
      if (e.is(ErrorCode.ER_NO_SUCH_TABLE)) {
        return false;
      }
      throw e;
    }
  }

  private OkPacket drop(StatementRun run, Table table) {
    OkPacket ok = OwnConnection.execute(run, Sql.of("DROP TEMPORARY TABLE ").add(quoted(table)));
    run.session().temporary().remove(table);
    giveBackUnused(run);
    return ok;
  }

  private static void giveBackUnused(StatementRun run) {
    Session session = run.session();
    if (session.temporary().none()) {
      run.shards()
          .onLoop(() -> {
            session.transaction().held().temporary().unused();
            return CompletableFuture.completedFuture(true);
          });
    }
  }

  /** Notes a table as it is now. */
  private static void note(StatementRun run, TableName name) {
    TemporaryTables tables = run.session().temporary();
    String schema = schema(run, name);
    Sql quoted = OwnConnection.quoted(run.session(), name);
    tables.put(
        TemporaryDefinition.of(
            tables.nextId(),
            schema,
            name.table(),
            OwnConnection.query(run, Sql.of("SHOW FULL COLUMNS FROM ").add(quoted)),
            OwnConnection.query(run, Sql.of("SHOW INDEX FROM ").add(quoted))));
  }

  private static Sql quoted(Table table) {
    return Sql.EMPTY.name(table.schema(), table.name());
  }

  private void requireSchema(StatementRun run, TableName name) {
    String schema = schema(run, name);
    if (schema.isEmpty()) {
      throw new AlraiException(ErrorCode.ER_NO_DB_ERROR, "No database selected");
    }
    if (parts.gms().catalog().schema(schema).isEmpty()) {
      throw new AlraiException(ErrorCode.ER_BAD_DB_ERROR, "Unknown database '" + schema + "'");
    }
    if (run.session().transaction().open() && run.session().transaction().options().readOnly()) {
      throw new AlraiException(
          ErrorCode.ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION,
          "Cannot execute statement in a READ ONLY transaction.");
    }
  }
}
