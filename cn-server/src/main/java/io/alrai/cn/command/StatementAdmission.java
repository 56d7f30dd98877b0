package io.alrai.cn.command;

import io.alrai.cn.lock.SessionAdmission;
import io.alrai.cn.plan.PlannedStatement;
import io.alrai.cn.session.Activity;
import io.alrai.cn.session.Session;
import io.alrai.common.error.AlraiException;
import io.alrai.executor.fragment.Plan;
import io.alrai.gms.api.LockStage;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.Planned.Work;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Has a client's statements that may change rows, or lock them FOR UPDATE, wait while a session has
 * the read lock over the cluster. DDL and LOCK TABLES wait where they run, after their implicit
 * commit. Event loop only.
 */
final class StatementAdmission {
  private final ClientConnection connection;

  StatementAdmission(ClientConnection connection) {
    this.connection = connection;
  }

  /** Whether a statement may have to wait. */
  static boolean concerns(Work work) {
    return switch (work) {
      case Work.Data(_, Plan.Select select) -> select.rowLocks().exclusive();
      case Work.Data(_, Plan plan) -> plan.writesShared();
      case Work.Administrative(AdminStatement.OnCn statement) -> concerns(statement);
      case Work.Administrative _ -> false;
    };
  }

  private static boolean concerns(AdminStatement.OnCn statement) {
    return switch (statement) {
      case AdminStatement.LoadDataLocal _ -> true;
      case AdminStatement.SelectInto into -> into.query().rowLocks().exclusive();
      case AdminStatement.AssigningSelect select -> select.query().rowLocks().exclusive();
      case AdminStatement.NamedLocks _,
          AdminStatement.ExplainOnShard _,
          AdminStatement.Ddl _,
          AdminStatement.TableMaintenance _,
          AdminStatement.CancelDdl _,
          AdminStatement.OfMembers _,
          AdminStatement.Setting _,
          AdminStatement.Locking _,
          AdminStatement.FromShadow _,
          AdminStatement.Report _ ->
          false;
    };
  }

  /**
   * Whether a statement may begin at once; then it has begun.
   *
   * @throws AlraiException 1223 when the session itself has the read lock
   */
  boolean enters(PlannedStatement planned) {
    return !concerns(planned.planned().work()) || admission().enters(LockStage.STATEMENTS);
  }

  /**
   * Does something as soon as statements may begin; else the client gets the reason as an error.
   *
   * @param sql what others see waiting
   * @param sequence of the client's next packet
   * @param next plans and runs the statement, whose tables may have changed meanwhile
   * @return completes after that, or when it will not be done
   */
  CompletableFuture<Void> whenEntered(byte[] sql, int sequence, Runnable next) {
    return behind(() -> admission().await(LockStage.STATEMENTS), sql, sequence, next);
  }

  /** Does so after another wait. */
  CompletableFuture<Void> behind(
      Supplier<CompletableFuture<Void>> wait, byte[] sql, int sequence, Runnable next) {
    Session session = connection.session();
    Activity before = session.activity();
    long now = connection.services().clients().wallMillis().getAsLong();
    session.activity(Activity.query(sql, session.variables().lexicalMode(), now));
    return wait.get()
        .whenComplete((entered, error) -> {
          session.activity(before);
          if (error == null) {
            guarded(sequence, next);
          } else {
            connection.fail(AlraiException.causeOf(error), sequence);
          }
        });
  }

  private void guarded(int sequence, Runnable next) {
    try {
      next.run();
    } catch (AlraiException e) {
      connection.fail(e, sequence);
    } catch (RuntimeException | VirtualMachineError e) {
      connection.fail(CommandErrors.internal(e), sequence);
    }
  }

  private SessionAdmission admission() {
    return connection.session().transaction().held().admission();
  }
}
