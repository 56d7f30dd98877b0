package io.alrai.optimizer.api;

import io.alrai.optimizer.api.AdminStatement.ByName;
import io.alrai.optimizer.api.AdminStatement.Change;
import io.alrai.optimizer.api.AdminStatement.Locking;
import io.alrai.optimizer.api.AdminStatement.OnLoop;
import io.alrai.optimizer.api.AdminStatement.OnSession;
import io.alrai.optimizer.api.AdminStatement.OverRows;
import io.alrai.optimizer.api.AdminStatement.Report;
import io.alrai.optimizer.api.AdminStatement.Setting;

/**
 * What holds of each kind of {@link AdminStatement}, as in MySQL. Immutable.
 *
 * @param inXa where it may stand between XA START and what ends that
 * @param preparation who judges it when it is prepared
 * @param begins whether it begins a transaction where autocommit is off
 */
public record AdminTraits(InXa inXa, Preparation preparation, boolean begins) {
  /** Where a statement may stand between XA START and what ends that. */
  public enum InXa {
    /** Anywhere. */
    ANY,
    /** Before XA END. */
    ACTIVE,
    /** Nowhere: it commits, or begins. */
    NEVER
  }

  /** Who judges a statement when it is prepared by PREPARE. */
  public enum Preparation {
    /** The CN alone: mysqlds may not understand it. */
    CN,
    /** A mysqld, too. */
    MYSQLD,
    /** It cannot be prepared. */
    NONE
  }

  private AdminTraits(InXa inXa, Preparation preparation) {
    this(inXa, preparation, false);
  }

  private static final AdminTraits PLAIN = new AdminTraits(InXa.ANY, Preparation.CN);
  private static final AdminTraits DIRECT = new AdminTraits(InXa.ANY, Preparation.NONE);
  private static final AdminTraits JUDGED = new AdminTraits(InXa.ANY, Preparation.MYSQLD);
  private static final AdminTraits COMMITTING = new AdminTraits(InXa.NEVER, Preparation.CN);
  private static final AdminTraits DIRECT_COMMITTING =
      new AdminTraits(InXa.NEVER, Preparation.NONE);
  private static final AdminTraits WORKING = new AdminTraits(InXa.ACTIVE, Preparation.CN);
  private static final AdminTraits DIRECT_WORKING = new AdminTraits(InXa.ACTIVE, Preparation.NONE);
  private static final AdminTraits JUDGED_WORKING =
      new AdminTraits(InXa.ACTIVE, Preparation.MYSQLD);
  private static final AdminTraits READING = new AdminTraits(InXa.ACTIVE, Preparation.MYSQLD, true);
  private static final AdminTraits SUMMING = new AdminTraits(InXa.ACTIVE, Preparation.CN, true);

  /** Those of a statement. */
  public static AdminTraits of(AdminStatement statement) {
    return switch (statement) {
      case OnLoop onLoop -> of(onLoop);
      case ByName _ -> DIRECT;
      case OnSession onSession -> of(onSession);
      case Setting _ -> PLAIN;
      case Locking locking -> of(locking);
      case AdminStatement.FromShadow _ -> JUDGED;
      case Report report -> of(report);
      case Change change -> of(change);
      case OverRows over -> of(over);
    };
  }

  private static AdminTraits of(OnLoop statement) {
    return switch (statement) {
      case AdminStatement.Begin _, AdminStatement.Commit _, AdminStatement.Rollback _ -> COMMITTING;
      case AdminStatement.Savepoint _,
          AdminStatement.RollbackToSavepoint _,
          AdminStatement.ReleaseSavepoint _ ->
          WORKING;
      case AdminStatement.Xa _, AdminStatement.Use _ -> DIRECT;
      case AdminStatement.Kill _ -> PLAIN;
    };
  }

  private static AdminTraits of(OnSession statement) {
    return switch (statement) {
      case AdminStatement.Call _ -> PLAIN;
      case AdminStatement.OnConditions _, AdminStatement.Handler _ -> DIRECT;
      case AdminStatement.WithCalls _ -> JUDGED_WORKING;
    };
  }

  private static AdminTraits of(Locking statement) {
    return switch (statement) {
      case AdminStatement.LockTables _ -> DIRECT_COMMITTING;
      case AdminStatement.FlushTables _,
          AdminStatement.FlushWithReadLock _,
          AdminStatement.NoOperation _ ->
          COMMITTING;
      case AdminStatement.UnlockTables _,
          AdminStatement.LockInstance _,
          AdminStatement.UnlockInstance _ ->
          DIRECT;
    };
  }

  private static AdminTraits of(Report statement) {
    return switch (statement) {
      case AdminStatement.XaRecover _ -> DIRECT;
      case AdminStatement.CheckColumnIndex _ -> WORKING;
      case AdminStatement.ChecksumTables _ -> SUMMING;
      case AdminStatement.ShowProcesslist _,
          AdminStatement.ShowGrants _,
          AdminStatement.ShowCreateUser _,
          AdminStatement.ShowDiagnostics _,
          AdminStatement.ShowTopology _,
          AdminStatement.ShowColumnIndexes _,
          AdminStatement.ShowDdl _,
          AdminStatement.OfNodes _,
          AdminStatement.OfSessions _,
          AdminStatement.ExplainSharding _ ->
          PLAIN;
    };
  }

  private static AdminTraits of(Change statement) {
    return switch (statement) {
      case AdminStatement.Ddl(DdlStatement.CreateTrigger _),
          AdminStatement.Ddl(DdlStatement.DropTrigger _),
          AdminStatement.Ddl(DdlStatement.OnRoutine _) ->
          DIRECT_COMMITTING;
      case AdminStatement.Ddl _, AdminStatement.TableMaintenance _ -> COMMITTING;
      case AdminStatement.LoadDataLocal _ -> DIRECT_WORKING;
      case AdminStatement.CancelDdl _, AdminStatement.OfMembers _, AdminStatement.Ccl _ -> PLAIN;
    };
  }

  private static AdminTraits of(OverRows statement) {
    return switch (statement) {
      case AdminStatement.SelectInto _, AdminStatement.AssigningSelect _ -> READING;
      case AdminStatement.ExplainOnShard explain ->
          ExplainAnalyze.runs(explain) ? SUMMING : WORKING;
      case AdminStatement.NamedLocks _ -> JUDGED;
    };
  }
}
