package io.alrai.cn.admin;

import io.alrai.cn.blocked.LockWaits;
import io.alrai.cn.digest.ClusterDigests;
import io.alrai.cn.digest.DigestTables;
import io.alrai.cn.force.ForceLeader;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.Diagnostics;
import io.alrai.cn.slowlog.SlowLog;
import io.alrai.cn.statement.CollectedRows;
import io.alrai.cn.statement.QueryReader;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.system.ClusterSessions;
import io.alrai.cn.system.CnParts;
import io.alrai.cn.system.StorageTable;
import io.alrai.cn.text.TemplateText;
import io.alrai.cn.tx.SessionTransaction;
import io.alrai.common.wire.OkPacket;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.gms.api.node.GmsPeer;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.CclStatement;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.MembersStatement;

/** The administrative statements of a CN: each kind goes to the class that knows it. */
public final class CnAdmin implements AdminExecutor {
  private final CnParts parts;
  private final QueryReader reader;
  private final Assignments assignments;
  private final VariableStatements variables;
  private final CharsetStatements charsets;
  private final ShowStatements show;
  private final JobStatements jobs;
  private final StorageStatements storage;
  private final ForceLeader forced;
  private final GrantStatements grants;
  private final ShadowStatements shadow;
  private final TableLocking locking;
  private final ClusterLocking clusterLocks;
  private final ChecksumStatements checksums;
  private final CclStatements ccl;
  private final ForeignStatements others;
  private final ColumnarStatements columnar;

  /**
   * Administration of one CN.
   *
   * @param reader runs queries whose rows go into variables
   * @param others statements that other parts of the CN run: DDL, LOAD DATA, EXPLAIN
   * @param columnar SHOW and CHECK of column indexes
   */
  public CnAdmin(
      CnParts parts, QueryReader reader, ForeignStatements others, ColumnarStatements columnar) {
    ClusterSessions.tell(parts.sessions(), parts.wallMillis());
    LockWaits.tell(parts.sessions());
    ClusterDigests.tell(parts.sessions().asks(), parts.digests());
    ShowStatements.tell(parts.sessions());
    KillStatement.obey(parts.sessions(), parts.gms()::catalog);
    this.parts = parts;
    this.reader = reader;
    this.assignments = new Assignments(parts, reader);
    this.variables = new VariableStatements(parts, assignments);
    this.charsets = new CharsetStatements(parts);
    this.show = new ShowStatements(parts);
    this.jobs = new JobStatements(parts);
    this.storage = new StorageStatements(parts);
    this.forced =
        new ForceLeader(parts.gms(), () -> parts.queries().links().members(), parts.wallMillis());
    this.grants = new GrantStatements(parts.gms());
    this.shadow = new ShadowStatements(parts);
    this.locking = new TableLocking(parts);
    this.clusterLocks = new ClusterLocking(parts);
    this.checksums = new ChecksumStatements(parts);
    this.ccl = new CclStatements(parts);
    this.others = others;
    this.columnar = columnar;
  }

  @Override
  public void run(StatementRun run, AdminStatement.OnCn statement) {
    switch (statement) {
      case AdminStatement.Setting setting -> ok(run, set(run, setting));
      case AdminStatement.Locking locking -> {
        lock(run, locking);
        ok(run);
      }
      case AdminStatement.FromShadow from when !from.into().isEmpty() -> shadowInto(run, from);
      case AdminStatement.FromShadow from -> shadow.run(run, from.sql());
      case AdminStatement.Report report -> report(run, report);
      case AdminStatement.Change change -> change(run, change);
      case AdminStatement.OverRows over -> over(run, over);
    }
  }

  private void report(StatementRun run, AdminStatement.Report statement) {
    switch (statement) {
      case AdminStatement.XaRecover recover -> XaRecover.run(run, recover, parts);
      case AdminStatement.ShowGrants grantsOf -> grants.show(run, grantsOf);
      case AdminStatement.ShowCreateUser create -> grants.showCreate(run, create.user());
      case AdminStatement.ShowProcesslist list -> show.processlist(run, list.full());
      case AdminStatement.ShowDiagnostics diagnostics -> show.diagnostics(run, diagnostics);
      case AdminStatement.ShowTopology topology -> show.topology(run, topology);
      case AdminStatement.ShowColumnIndexes indexes -> columnar.show(run, parts.gms(), indexes);
      case AdminStatement.CheckColumnIndex check -> columnar.check(run, parts.gms(), check);
      case AdminStatement.ShowDdl ddl -> jobs.show(run, ddl.full());
      case AdminStatement.ShowNodes _ -> show.nodes(run);
      case AdminStatement.ShowStorage(boolean replicas) ->
          storage.show(run, replicas ? StorageTable.STORAGE_REPLICAS : StorageTable.STORAGE);
      case AdminStatement.ShowTransactions _ -> show.transactions(run);
      case AdminStatement.ShowTrace _ -> show.trace(run);
      case AdminStatement.ExplainSharding explain -> others.explainSharding(run, explain);
      case AdminStatement.ChecksumTables tables -> checksums.run(run, tables);
    }
  }

  private void change(StatementRun run, AdminStatement.Change statement) {
    switch (statement) {
      case AdminStatement.Ddl(DdlStatement.TruncateTable truncate)
          when DigestTables.isOne(truncate.name(), run.session().schema()) -> {
        ok(run, Diagnostics.ofWarnings(ClusterDigests.forget(parts.sessions().asks())));
      }
      case AdminStatement.Ddl(DdlStatement.TruncateTable truncate)
          when SlowLog.isTable(truncate.name(), run.session().schema()) -> {
        parts.digests().slowLog().clear();
        ok(run);
      }
      case AdminStatement.Ddl ddl -> others.ddl(run, ddl.statement());
      case AdminStatement.LoadDataLocal load -> others.loadData(run, load);
      case AdminStatement.TableMaintenance maintenance -> others.maintain(run, maintenance);
      case AdminStatement.CancelDdl cancel -> jobs.cancel(run, cancel);
      case AdminStatement.Ccl(CclStatement rules) -> ccl.run(run, rules);
      case AdminStatement.OfMembers(MembersStatement.ChangeLeader(String member)) ->
          storage.changeLeader(run, member);
      case AdminStatement.OfMembers(MembersStatement.OfZones zones) -> storage.zones(run, zones);
      case AdminStatement.OfMembers(MembersStatement.ForceLeader force) -> {
        run.shards()
            .ownWork()
            .interruptibly(() -> {
              forced.run(force);
              return true;
            });
        ok(run);
      }
      case AdminStatement.OfMembers(MembersStatement.AsJob job) -> others.members(run, job);
      case AdminStatement.OfMembers(MembersStatement.AddGms(String name, String address)) -> {
        parts.gms().nodes().add(GmsPeer.of(name, address));
        ok(run);
      }
      case AdminStatement.OfMembers(MembersStatement.DropGms(String name)) -> {
        parts.gms().nodes().drop(name);
        ok(run);
      }
    }
  }

  private void over(StatementRun run, AdminStatement.OverRows statement) {
    switch (statement) {
      case AdminStatement.SelectInto into -> assignments.selectInto(run, into);
      case AdminStatement.NamedLocks locks -> LockStatements.run(run, locks, assignments);
      case AdminStatement.AssigningSelect select when select.hasRows() ->
          reader.assign(run, select, parts.facts().collations());
      case AdminStatement.AssigningSelect done -> evaluate(run, done);
      case AdminStatement.ExplainOnShard explain when explain.into().isPresent() ->
          assignments.explainInto(run, explain.sql(), explain.into().get());
      case AdminStatement.ExplainOnShard explain -> others.explainOnShard(run, explain);
    }
  }

  /** DO. */
  private void evaluate(StatementRun run, AdminStatement.AssigningSelect done) {
    if (done.assigns()) {
      reader.read(run, done, parts.facts().collations(), 0);
    } else {
      reader.read(run, done.query(), 1);
    }
    run.session().last().foundRows(1);
    ok(run, run.session().last().diagnostics());
  }

  private void shadowInto(StatementRun run, AdminStatement.FromShadow query) {
    CollectedRows collected = new CollectedRows(run.writer().output(), 2);
    shadow.run(run.with(collected), query.sql());
    assignments.assign(run, query.into(), collected.rows());
  }

  private Diagnostics set(StatementRun run, AdminStatement.Setting statement) {
    switch (statement) {
      case AdminStatement.SetVariables set -> {
        return run.shards().ownWork().interruptibly(() -> variables.set(run, set));
      }
      case AdminStatement.SetNames names -> charsets.setNames(run, names);
      case AdminStatement.SetCharacterSet names -> charsets.setCharacterSet(run, names);
      case AdminStatement.SetTransaction set -> variables.setTransaction(run, set);
      case AdminStatement.SetRole set -> grants.setRole(run, set.choice());
    }
    return Diagnostics.NONE;
  }

  private void lock(StatementRun run, AdminStatement.Locking statement) {
    switch (statement) {
      case AdminStatement.LockTables lock -> locking.lock(run, lock);
      case AdminStatement.UnlockTables _ -> {
        locking.unlock(run);
        clusterLocks.giveBack(run, true);
      }
      case AdminStatement.FlushWithReadLock flush when flush.tables().isEmpty() ->
          clusterLocks.readLock(run);
      case AdminStatement.FlushWithReadLock flush -> locking.flush(run, flush.tables());
      case AdminStatement.LockInstance _ -> clusterLocks.backupLock(run);
      case AdminStatement.UnlockInstance _ -> clusterLocks.giveBack(run, false);
      case AdminStatement.FlushTables _ -> commitOpen(run);
      case AdminStatement.NoOperation(String what) -> {
        boolean ofAccounts = what.equals("FLUSH PRIVILEGES");
        if (ofAccounts) {
          parts.settings().flushPrivileges();
        }
        if (ofAccounts || what.equals("FLUSH USER_RESOURCES")) {
          parts.settings().flushResources();
        }
        if (what.equals("FLUSH SLOW LOGS")) {
          parts.digests().slowLog().reopen();
        }
        commitOpen(run);
      }
    }
  }

  /** As statements that commit by themselves do before anything else. */
  static void commitOpen(StatementRun run) {
    SessionTransaction transaction = run.session().transaction();
    if (transaction.open()) {
      run.shards().onLoop(transaction::commit);
    }
  }

  /** Ends a statement that has nothing to say. */
  static void ok(StatementRun run) {
    ok(run, Diagnostics.NONE);
  }

  /** Answers OK to a statement that has warnings. */
  static void ok(StatementRun run, Diagnostics diagnostics) {
    Session session = run.session();
    session.own().seedsStay();
    session.last().rowCount(0);
    session.last().diagnostics(diagnostics);
    run.writer().ok(new OkPacket(0, 0, run.statusFlags(), diagnostics.warningCount(), ""));
  }

  /**
   * Where a statement runs whose names are all qualified if there is no current schema: then in one
   * that is everywhere, as a connection may still have that of another session.
   */
  static String schemaOfQualified(Session session) {
    return session.schema().isEmpty() ? "information_schema" : session.schema();
  }

  /** A template's text in this run. */
  static String text(StatementRun run, SqlTemplate template) {
    return new String(
        TemplateText.render(template, run.values(), "", run.session()),
        run.session().variables().lexicalMode().charset());
  }
}
