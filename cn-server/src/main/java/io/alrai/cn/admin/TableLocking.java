package io.alrai.cn.admin;

import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.held.LockedTables;
import io.alrai.cn.held.TableLocks;
import io.alrai.cn.session.Session;
import io.alrai.cn.shard.ShardStatement;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.system.CnParts;
import io.alrai.cn.system.NamedTables;
import io.alrai.cn.tx.SessionTransaction;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.executor.fragment.CheckView;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.LockStage;
import io.alrai.gms.api.PartitionGroup;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.View;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.AdminStatement.TableLock;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.inspect.ViewTables;
import io.alrai.optimizer.api.inspect.ViewTarget;
import io.alrai.optimizer.api.token.SystemTables;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * LOCK TABLES, FLUSH TABLES t WITH READ LOCK and UNLOCK TABLES: one LOCK TABLES on every DN, for
 * all places of the tables there, on branches that the session keeps. Also a DN without a place is
 * locked, by the shadow tables, so that it refuses tables that are not locked. DNs are locked in
 * the order of their names; one that does not give its locks within a second makes the session give
 * back what it has and start again: it may be a transaction there that waits for a DN which is
 * locked already. Virtual threads.
 */
final class TableLocking {
  private static final Sql READ = Sql.of(" READ");
  private static final Sql WRITE = Sql.of(" WRITE");

  private final CnParts parts;

  TableLocking(CnParts parts) {
    this.parts = parts;
  }

  void lock(StatementRun run, AdminStatement.LockTables statement) {
    Session session = run.session();
    SessionTransaction transaction = session.transaction();
    end(run, transaction.held().tableLocks().held() || transaction.open());
    boolean writes = statement.locks().stream().anyMatch(TableLock::write);
    if (writes) {
      run.shards().onLoop(() -> transaction.held().admission().await(LockStage.STATEMENTS));
    }
    List<TableLock> shared =
        statement.locks().stream().filter(lock -> !isOwn(session, lock.table())).toList();
    if (shared.isEmpty()) {
      return;
    }
    lock(run, texts(items(session, shared), Sql.of("LOCK TABLES "), Sql.EMPTY));
    transaction.held().tableLocks().tables(named(session, shared));
  }

  /**
   * FLUSH TABLES t WITH READ LOCK: a mysqld waits for all that has a table open, and then keeps it
   * as LOCK TABLES t READ does.
   */
  void flush(StatementRun run, List<TableName> tables) {
    Session session = run.session();
    SessionTransaction transaction = session.transaction();
    if (transaction.held().tableLocks().held()) {
      throw underLocks();
    }
    end(run, transaction.open());
    List<TableLock> locks = new ArrayList<>();
    for (TableName table : tables) {
      requireTable(session, table);
      locks.add(new TableLock(table, Optional.empty(), false));
    }
    run.shards().onLoop(transaction.held().admission()::awaitBackups);
    lock(run, texts(items(session, locks), Sql.of("FLUSH TABLES "), Sql.of(" WITH READ LOCK")));
    transaction.held().tableLocks().tables(named(session, locks));
  }

  /** The tables that are locked, also by way of views. */
  private LockedTables named(Session session, List<TableLock> locks) {
    Catalog catalog = parts.gms().catalog();
    LockedTables named = LockedTables.NONE;
    for (TableLock lock : locks) {
      String schema = lock.table().schema().orElse(session.schema());
      Optional<View> view = catalog.view(schema, lock.table().table());
      if (view.isEmpty()) {
        named = named.with(schema, lock.table().table(), lock.write());
        continue;
      }
      for (ViewTables.Read read : ViewTables.of(catalog, view.get())) {
        named = named.with(read.table().schema(), read.table().name(), lock.write());
      }
    }
    return named;
  }

  /** What cannot be done while the session has tables locked. */
  static AlraiException underLocks() {
    return new AlraiException(
        ErrorCode.ER_LOCK_OR_ACTIVE_TRANSACTION,
        "Can't execute the given command because you have active locked tables or an active"
            + " transaction");
  }

  private void requireTable(Session session, TableName name) {
    String schema = name.schema().orElse(session.schema());
    if (parts.gms().catalog().view(schema, name.table()).isPresent()) {
      throw new AlraiException(
          ErrorCode.ER_WRONG_OBJECT, "'" + schema + "." + name.table() + "' is not BASE TABLE");
    }
  }

  /** Nobody else sees a temporary table, so it needs no lock. */
  private static boolean isOwn(Session session, TableName name) {
    String schema = name.schema().orElse(session.schema());
    return session.temporary().table(schema, name.table()).isPresent();
  }

  private static void lock(StatementRun run, Map<DnId, Sql> texts) {
    long attempts = Math.max(1, run.session().variables().settings().lockWaitSeconds());
    while (!locked(run, texts, attempts == 1)) {
      attempts--;
    }
  }

  void unlock(StatementRun run) {
    end(run, run.session().transaction().held().tableLocks().held());
  }

  /** What was open is committed, what was locked is not any more. */
  private static void end(StatementRun run, boolean something) {
    Session session = run.session();
    if (something) {
      run.shards().onLoop(session.transaction()::commit);
      run.shards().onLoop(session.transaction().held().tableLocks()::unlock);
    }
  }

  private Map<DnId, Map<Sql, Sql>> items(Session session, List<TableLock> locks) {
    Catalog catalog = parts.gms().catalog();
    Map<DnId, Map<Sql, Sql>> items = new TreeMap<>();
    parts.queries().links().dns().forEach(dn -> items.put(dn, new LinkedHashMap<>()));
    List<TableLock> views = new ArrayList<>();
    for (TableLock lock : locks) {
      String schema = lock.table().schema().orElse(session.schema());
      if (SystemTables.isSystemSchema(schema)) {
        throw AlraiException.unsupported("'LOCK TABLES' of the server's own tables");
      }
      if (catalog.view(schema, lock.table().table()).isPresent()) {
        views.add(lock);
        continue;
      }
      Table table = NamedTables.table(catalog, schema, lock.table().table());
      add(items, catalog, new ViewTables.Read(table, lock.alias()), lock.write(), false);
    }
    for (TableLock lock : views) {
      String schema = lock.table().schema().orElse(session.schema());
      View view = catalog.view(schema, lock.table().table()).orElseThrow();
      for (ViewTables.Read read : ViewTables.of(catalog, view)) {
        add(items, catalog, read, lock.write(), true);
      }
      if (lock.write()) {
        ViewTarget.of(catalog, view)
            .ifPresent(
                writable -> addWritten(items, catalog, writable, lock.alias().orElse(view.name())));
      }
    }
    return items;
  }

  /** A write through a view names its table, or the view that checks it, by the view's name. */
  private void addWritten(
      Map<DnId, Map<Sql, Sql>> items, Catalog catalog, ViewTarget view, String alias) {
    Optional<CheckView> check = view.check();
    if (check.isEmpty()) {
      add(items, catalog, new ViewTables.Read(view.table(), Optional.of(alias)), true, true);
      return;
    }
    parts.checks().make(List.of(check.get()));
    for (PartitionGroup place : catalog.places(view.table())) {
      Sql item = Sql.EMPTY.name(place.physicalSchema().name(), check.get().name());
      Map<Sql, Sql> all = items.computeIfAbsent(place.dn(), dn -> new LinkedHashMap<>());
      put(all, item, WRITE, true);
      put(all, item.words(" AS ").name(alias), WRITE, true);
    }
  }

  /** The statement for each DN; the kinds of the locks stand only where nothing follows them. */
  private static Map<DnId, Sql> texts(Map<DnId, Map<Sql, Sql>> items, Sql verb, Sql end) {
    Map<DnId, Sql> texts = new TreeMap<>();
    items.forEach((dn, all) -> {
      List<Sql> list = new ArrayList<>();
      all.forEach((item, kind) -> list.add(end.isEmpty() ? item.add(kind) : item));
      texts.put(dn, verb.add(Sql.join(", ", list)).add(end));
    });
    return texts;
  }

  /** A table that a view reads may have been named before, alike, in the same statement. */
  private static void add(
      Map<DnId, Map<Sql, Sql>> items,
      Catalog catalog,
      ViewTables.Read read,
      boolean write,
      boolean ofView) {
    Table table = read.table();
    items.values().forEach(all -> put(all, item(table.schema(), read), READ, ofView));
    for (PartitionGroup place : catalog.places(table)) {
      put(
          items.computeIfAbsent(place.dn(), dn -> new LinkedHashMap<>()),
          item(place.physicalSchema().name(), read),
          write ? WRITE : READ,
          ofView);
    }
  }

  /** The stronger of two kinds stays; a client's own repetition is for a mysqld to refuse. */
  private static void put(Map<Sql, Sql> items, Sql item, Sql kind, boolean ofView) {
    if (!items.containsKey(item)) {
      items.put(item, kind);
    } else if (!ofView) {
      items.put(item.words(" "), kind);
    } else if (kind.equals(WRITE)) {
      items.put(item, kind);
    }
  }

  private static Sql item(String schema, ViewTables.Read read) {
    Sql table = Sql.EMPTY.name(schema, read.table().name());
    return read.alias().map(name -> table.words(" AS ").name(name)).orElse(table);
  }

  /** One attempt; false when a lock was not to be had and this was not the last attempt. */
  private static boolean locked(StatementRun run, Map<DnId, Sql> texts, boolean last) {
    TableLocks locks = run.session().transaction().held().tableLocks();
    boolean done = false;
    try {
      for (Map.Entry<DnId, Sql> text : texts.entrySet()) {
        DnId dn = text.getKey();
        run.shards().onLoop(() -> locks.hold(dn));
        update(run, dn, Sql.of("SET SESSION lock_wait_timeout=1"));
        update(run, dn, text.getValue());
        update(run, dn, restored(run.session()));
      }
      done = true;
    } catch (AlraiException e) {
      if (last || !e.is(ErrorCode.ER_LOCK_WAIT_TIMEOUT)) {
        throw e;
      }
    } finally {
      if (!done) {
        run.shards()
            .onLoop(() -> {
              locks.drop();
              return CompletableFuture.completedFuture(null);
            });
      }
    }
    return done;
  }

  private static Sql restored(Session session) {
    String wait = session.variables().settings().literal("lock_wait_timeout");
    Sql set = Sql.of("SET SESSION lock_wait_timeout=");
    return wait.isEmpty() ? set.words("DEFAULT") : set.number(Long.parseLong(wait));
  }

  private static void update(StatementRun run, DnId dn, Sql sql) {
    try (ShardCall call = run.shards().startCopy(dn, "", ShardStatement.text(sql))) {
      call.update();
    }
  }
}
