package io.alrai.cn.admin;

import io.alrai.cn.ddl.DdlExecutor;
import io.alrai.cn.ddl.job.DdlOutcome;
import io.alrai.cn.ddl.job.DdlSession;
import io.alrai.cn.ddl.job.SqlWarning;
import io.alrai.cn.held.LockedTables;
import io.alrai.cn.held.LockedTables.Name;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.system.CnParts;
import io.alrai.cn.system.NamedTables;
import io.alrai.common.error.AlraiException;
import io.alrai.common.sql.Sql;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.PartitionGroup;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.DdlStatement.Renaming;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * DDL of a session that has tables locked: the switches of keys that dumps have between LOCK and
 * UNLOCK TABLES run on the connections that have the locks. All else is refused, with MySQL's
 * reason where it has one: else with 1192, as the shadows of what is locked are locked for reads
 * only, so that statements may be described by them. Virtual threads.
 */
final class LockedDefinitions {
  private final CnParts parts;
  private final DdlExecutor ddl;

  LockedDefinitions(CnParts parts, DdlExecutor ddl) {
    this.parts = parts;
    this.ddl = ddl;
  }

  /**
   * Runs a statement.
   *
   * @throws AlraiException 1099, 1100, 1050, 1192
   */
  DdlOutcome run(StatementRun run, DdlStatement statement, DdlSession as) {
    Session session = run.session();
    LockedTables locked = session.transaction().held().tableLocks().tables();
    require(statement, session, locked);
    if (statement instanceof DdlStatement.CreateTable create && create.query().isEmpty()
        || statement instanceof DdlStatement.CreateTableLike) {
      // there is one of that name
      return run.shards().ownWork().interruptibly(() -> ddl.run(statement, as));
    }
    if (statement instanceof DdlStatement.AlterTable alter) {
      Optional<Sql> keys = switchOfKeys(alter);
      if (keys.isPresent()) {
        return switchKeys(run, alter, keys.get());
      }
    }
    throw TableLocking.underLocks();
  }

  private void require(DdlStatement statement, Session session, LockedTables locked) {
    switch (statement) {
      case DdlStatement.AlterTable alter -> locked.requireWrite(name(alter.name(), session));
      case DdlStatement.TruncateTable truncate ->
          locked.requireWrite(name(truncate.name(), session));
      case DdlStatement.CreateTrigger create -> locked.requireWrite(name(create.table(), session));
      case DdlStatement.DropTables drop ->
          drop.names().forEach(name -> locked.requireWrite(name(name, session)));
      case DdlStatement.RenameTables rename -> requireOwned(rename.renamings(), session, locked);
      case DdlStatement.CreateTable create -> requireThere(name(create.name(), session), locked);
      case DdlStatement.CreateTableLike create ->
          requireThere(name(create.name(), session), locked);
      case DdlStatement.OnAccount _ -> throw LockedTables.notLocked("user");
      case DdlStatement.MakeSingle _,
          DdlStatement.CreateColumnIndex _,
          DdlStatement.DropTrigger _,
          DdlStatement.OnDatabase _,
          DdlStatement.OnView _,
          DdlStatement.OnRoutine _ ->
          throw TableLocking.underLocks();
    }
  }

  /** What is renamed is locked, or has got its name by the same statement. */
  private static void requireOwned(List<Renaming> renamings, Session session, LockedTables locked) {
    LockedTables now = locked;
    for (Renaming renaming : renamings) {
      Name from = name(renaming.from(), session);
      now.requireWrite(from);
      now = now.renamed(Map.of(from, name(renaming.to(), session)));
    }
  }

  private static void requireThere(Name name, LockedTables locked) {
    if (!locked.has(name)) {
      throw LockedTables.notLocked(name.table());
    }
  }

  /** What of these a statement does, if it does nothing else. */
  private static Optional<Sql> switchOfKeys(DdlStatement.AlterTable alter) {
    if (alter.renameTo().isPresent() || alter.actions().size() != 1) {
      return Optional.empty();
    }
    String words = String.join(" ", alter.actions().getFirst().words()).toUpperCase(Locale.ROOT);
    return switch (words) {
      case "DISABLE KEYS" -> Optional.of(Sql.of(" DISABLE KEYS"));
      case "ENABLE KEYS" -> Optional.of(Sql.of(" ENABLE KEYS"));
      default -> Optional.empty();
    };
  }

  private DdlOutcome switchKeys(StatementRun run, DdlStatement.AlterTable alter, Sql keys) {
    Session session = run.session();
    Catalog catalog = parts.gms().catalog();
    Name name = name(alter.name(), session);
    Table table = NamedTables.table(catalog, name.schema(), name.table());
    Sql sql = Sql.of("ALTER TABLE ").name(table.name()).add(keys);
    run.shards().takeWarnings();
    List<Condition> warnings = List.of();
    for (PartitionGroup place : catalog.places(table)) {
      run.shards().update(place.dn(), place.physicalSchema().name(), sql);
      warnings = run.shards().takeWarnings();
    }
    return new DdlOutcome(
        0,
        "",
        warnings.stream()
            .map(each -> new SqlWarning(each.level(), each.code(), each.message()))
            .toList());
  }

  private static Name name(TableName name, Session session) {
    return new Name(name.schema().orElse(session.schema()), name.table());
  }
}
