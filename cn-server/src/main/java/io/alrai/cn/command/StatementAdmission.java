package io.alrai.cn.command;

import io.alrai.cn.ccl.RuleTurn;
import io.alrai.cn.ccl.ShapeRules;
import io.alrai.cn.held.HeldBySession;
import io.alrai.cn.lock.SessionAdmission;
import io.alrai.cn.plan.PlannedStatement;
import io.alrai.cn.pressure.PressureQueue;
import io.alrai.cn.session.Activity;
import io.alrai.cn.session.Session;
import io.alrai.cn.turn.SessionTurn;
import io.alrai.cn.tx.SessionTransaction;
import io.alrai.common.error.AlraiException;
import io.alrai.executor.fragment.Plan;
import io.alrai.executor.fragment.SlotValues;
import io.alrai.gms.api.LockStage;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.ExplainAnalyze;
import io.alrai.optimizer.api.Planned.Work;
import io.alrai.optimizer.api.ShapedStatement;
import java.nio.charset.Charset;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Has a client's statements wait for a place, where a CCL rule is about them or the CN has enough
 * to do, and those that may change rows, or lock them FOR UPDATE, while a session has the read lock
 * over the cluster. DDL and LOCK TABLES wait where they run, after their implicit commit. Event
 * loop only.
 */
final class StatementAdmission {
  private final ClientConnection connection;
  private final PressureQueue places;

  StatementAdmission(ClientConnection connection) {
    this.connection = connection;
    this.places = connection.services().clients().sessions().pressure().of(connection.loop());
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
      case AdminStatement.ExplainOnShard explain ->
          ExplainAnalyze.runs(explain) && concerns(explain.explained());
      case AdminStatement.NamedLocks _,
          AdminStatement.Ddl _,
          AdminStatement.TableMaintenance _,
          AdminStatement.CancelDdl _,
          AdminStatement.OfMembers _,
          AdminStatement.Ccl _,
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
   * @throws AlraiException 1223 when the session itself has the read lock, 3009 when a CCL rule has
   *     no room for it
   */
  boolean enters(PlannedStatement planned) {
    ShapeRules rules = planned.rules();
    // who is inside the lock over the cluster keeps nobody waiting there
    boolean entered =
        rules == null
            || admission().isInside()
            || RuleTurn.enters(turn(), rules, new Asking(planned));
    return entered && entersWork(planned.planned().work()) && entersLocks(planned);
  }

  /** Whether there is a place among those at work, or none is needed. */
  private boolean entersWork(Work work) {
    return !places.isOn()
        || !isWork(work)
        || work().isInside()
        || holdsSomething()
        || work().enters(places);
  }

  private static boolean isWork(Work work) {
    return work instanceof Work.Data && !StatementDispatch.namesNoTable(work)
        || work instanceof Work.Administrative(AdminStatement.SelectInto _)
        || work instanceof Work.Administrative(AdminStatement.AssigningSelect _)
        || work instanceof Work.Administrative(AdminStatement.ExplainOnShard explain)
            && ExplainAnalyze.runs(explain);
  }

  /** Others may wait for what it holds, so that it is let in at once. */
  private boolean holdsSomething() {
    SessionTransaction transaction = connection.session().transaction();
    HeldBySession held = transaction.held();
    return transaction.open() && !transaction.branches().isEmpty()
        || held.tableLocks().held()
        || !held.namedLocks().held().none()
        || held.admission().isInside()
        || held.admission().hasReadLock()
        || held.admission().hasBackupLock();
  }

  private boolean entersLocks(PlannedStatement planned) {
    return !concerns(planned.planned().work()) || admission().enters(LockStage.STATEMENTS);
  }

  /**
   * Does something as soon as statements may begin; else the client gets the reason as an error.
   *
   * @param sql what others see waiting
   * @param sequence of the client's next packet
   * @param next runs the statement, whose tables may have changed meanwhile
   * @return completes after that, or when it will not be done
   */
  CompletableFuture<Void> whenEntered(byte[] sql, int sequence, Runnable next) {
    SessionTurn turn = turn().waits() ? turn() : work();
    Supplier<CompletableFuture<Void>> wait =
        turn.waits() ? () -> await(turn) : () -> admission().await(LockStage.STATEMENTS);
    return behind(wait, sql, sequence, next);
  }

  private CompletableFuture<Void> await(SessionTurn turn) {
    Session session = connection.session();
    long now = connection.services().clients().wallMillis().getAsLong();
    session.activity(session.activity().waiting(turn.state(), now));
    return turn.await();
  }

  /** Does so after another wait. */
  CompletableFuture<Void> behind(
      Supplier<CompletableFuture<Void>> wait, byte[] sql, int sequence, Runnable next) {
    Session session = connection.session();
    Activity before = session.activity();
    long now = connection.services().clients().wallMillis().getAsLong();
    session.activity(Activity.query(sql, session.variables().lexicalMode(), now));
    return wait.get()
        .handle((entered, error) -> {
          session.activity(before);
          if (error != null) {
            connection.fail(AlraiException.causeOf(error), sequence);
          } else if (connection.closed()) {
            connection.done(); // its client is gone: it begins nothing more
          } else {
            guarded(sequence, next);
          }
          return entered;
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

  private SessionTurn work() {
    return connection.session().transaction().held().work();
  }

  private SessionTurn turn() {
    return connection.session().transaction().held().turn();
  }

  private SessionAdmission admission() {
    return connection.session().transaction().held().admission();
  }

  /** What CCL rules ask of a statement. */
  private final class Asking implements ShapeRules.Asking {
    private final PlannedStatement planned;

    Asking(PlannedStatement planned) {
      this.planned = planned;
    }

    @Override
    public String user() {
      return connection.session().user().login().user();
    }

    @Override
    public String host() {
      return connection.session().user().login().host();
    }

    @Override
    public @Nullable String digest() {
      return connection.measured().digest();
    }

    @Override
    public ShapedStatement statement() {
      return planned.statement();
    }

    @Override
    public SlotValues values() {
      return planned.values();
    }

    @Override
    public Charset charset() {
      return connection.session().variables().lexicalMode().charset();
    }
  }
}
