package io.alrai.cn.command;

import io.alrai.cn.admin.XaGuard;
import io.alrai.cn.handler.HandlerStatements;
import io.alrai.cn.plan.PlannedStatement;
import io.alrai.cn.plan.StatementPlanner;
import io.alrai.cn.routine.CalledFunctions;
import io.alrai.cn.routine.Procedures;
import io.alrai.cn.routine.SessionPath;
import io.alrai.cn.settings.Diagnostics;
import io.alrai.cn.settings.SettingsRegistry;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.cn.statement.FunctionValues;
import io.alrai.cn.statement.SlowErrors;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.tx.SessionTransaction;
import io.alrai.common.error.AlraiException;
import io.alrai.common.type.Collations;
import io.alrai.executor.fragment.Plan;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.LockStage;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.AdminTraits;
import io.alrai.optimizer.api.Needs;
import io.alrai.optimizer.api.Planned.Work;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.api.text.ParameterSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Runs the statements of procedures in the way of a client's own statements. */
final class RoutinePath implements SessionPath {
  private final ClientConnection connection;
  private final StatementPlanner planner;
  private final StatementDispatch dispatch;
  private final NamedStatements named;
  private final ShardQueries queries;
  private final Procedures procedures;
  private final CalledFunctions functions;
  private final HandlerStatements handlers;

  RoutinePath(
      ClientConnection connection,
      StatementPlanner planner,
      StatementDispatch dispatch,
      NamedStatements named) {
    this.connection = connection;
    this.planner = planner;
    this.dispatch = dispatch;
    this.named = named;
    this.queries =
        new ShardQueries(
            connection.services().transactions().links(),
            connection.loop(),
            connection.services().clients().settings().defaults());
    this.procedures = new Procedures(this);
    this.functions = new CalledFunctions(procedures, this);
    this.handlers = new HandlerStatements(this);
  }

  /** What evaluates stored functions for the session's statements. */
  FunctionValues functions() {
    return functions;
  }

  /** Whether the rows of a statement call functions that CNs interpret. */
  static boolean calls(Work work) {
    return switch (work) {
      case Work.Data data -> calls(data.plan());
      case Work.Administrative(AdminStatement.SelectInto into) -> calls(into.query());
      case Work.Administrative other -> false;
    };
  }

  private static boolean calls(Plan plan) {
    return switch (plan) {
      case Plan.Select select ->
          select.gather().filter(gather -> !gather.functions().isEmpty()).isPresent();
      case Plan.InsertSelect insert -> calls(insert.select());
      case Plan.Write write -> write.callsFunctions();
      case Plan.Checked checked -> calls(checked.write());
      case Plan.Raising raising -> calls(raising.write());
      case Plan.KeyUpdate _, Plan.Insert _ -> false;
    };
  }

  private void withCalls(StatementRun run) {
    if (!CalledFunctions.isCall(run)) {
      together(run, inner -> functions.evaluated(inner).accept(inner));
      return;
    }
    List<Consumer<StatementRun>> call = new ArrayList<>();
    together(run, inner -> call.add(functions.evaluated(inner)));
    call.getFirst().accept(run);
  }

  /**
   * Runs a statement with such calls: all that it and they do belongs to one transaction, at one
   * snapshot, and is undone if it fails. As in a mysqld, a statement within a function is not
   * undone alone: what the functions it called have done stays if a handler takes its error. On a
   * virtual thread.
   */
  private void together(StatementRun run, Consumer<StatementRun> work) {
    if (procedures.inFunction()) {
      work.accept(run);
      return;
    }
    if (!onLoop(dispatch::beginOwn)) {
      run.shards().together(() -> work.accept(run));
      return;
    }
    HeldEnd held = new HeldEnd(run.writer());
    boolean done = false;
    try {
      work.accept(run.with(held));
      done = true;
    } finally {
      AdminStatement.OnLoop end =
          done ? AdminStatement.Commit.PLAIN : AdminStatement.Rollback.PLAIN;
      connection.shards().onLoop(() -> dispatch.loopStatements().start(end, run.values()));
    }
    held.release();
  }

  /** Runs a statement that the CN runs by itself; on a virtual thread. */
  void administer(StatementRun run, AdminStatement statement) {
    XaGuard.check(connection.session().transaction().clientXa(), statement);
    switch (statement) {
      case AdminStatement.OnLoop onLoop ->
          awaitOnLoop(() -> dispatch.loopStatements().start(onLoop, run.values()));
      case AdminStatement.Prepare prepare -> awaitOnLoop(() -> prepared(prepare));
      case AdminStatement.Deallocate deallocate ->
          awaitOnLoop(() -> {
            named.deallocate(deallocate);
            return CompletableFuture.completedFuture(null);
          });
      case AdminStatement.Execute execute -> execute(run, execute);
      case AdminStatement.Call call -> procedures.call(run, call);
      case AdminStatement.OnConditions conditions -> procedures.onConditions(run, conditions);
      case AdminStatement.Handler handler -> handlers.run(run, handler.statement());
      case AdminStatement.WithCalls _ -> withCalls(run);
      case AdminStatement.OnCn onCn -> {
        handlers.before(run, onCn);
        connection.services().statements().admin().run(run, onCn);
      }
    }
  }

  private void awaitOnLoop(Supplier<CompletableFuture<Void>> statement) {
    connection.shards().onLoop(statement);
    connection.session().last().rowCount(0);
    connection.session().last().diagnostics(Diagnostics.NONE);
  }

  private CompletableFuture<Void> prepared(AdminStatement.Prepare prepare) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    named.prepare(
        prepare,
        error -> {
          if (error == null) {
            done.complete(null);
          } else {
            done.completeExceptionally(error);
          }
        });
    return done;
  }

  private void execute(StatementRun run, AdminStatement.Execute execute) {
    NamedStatements.Execution execution =
        onLoop(() -> {
          NamedStatements.Execution found = named.execution(execute);
          begin(found.planned());
          return found;
        });
    PlannedStatement planned = execution.planned();
    run(run.with(planned.statement(), execution.sql(), planned.values()), planned.planned().work());
  }

  /** Closes what the session has open by HANDLER. */
  void closeHandlers() {
    handlers.clear();
  }

  private <T> T onLoop(Supplier<T> action) {
    return connection.shards().onLoop(() -> CompletableFuture.completedFuture(action.get()));
  }

  @Override
  public PlannedStatement plan(ShapedText text, ParameterSource parameters) {
    return onLoop(() -> {
      PlannedStatement planned = planner.plan(connection.session(), text, parameters);
      begin(planned);
      return planned;
    });
  }

  @Override
  public Needs needs(ShapedText text) {
    return planner.needs(connection.session(), text);
  }

  private void begin(PlannedStatement planned) {
    boolean rows =
        switch (planned.planned().work()) {
          case Work.Data data -> true;
          case Work.Administrative admin -> AdminTraits.of(admin.statement()).begins();
        };
    if (rows) {
      dispatch.beginIfNeeded(planned);
    }
  }

  @Override
  public void run(StatementRun run, Work work) {
    boolean rows = StatementAdmission.concerns(work);
    if (!rows && !(work instanceof Work.Administrative(AdminStatement.Ddl _))) {
      runInside(run, work);
      return;
    }
    SessionTransaction transaction = connection.session().transaction();
    if (rows) {
      connection.shards().onLoop(() -> transaction.held().admission().await(LockStage.STATEMENTS));
    }
    try {
      runInside(run, work);
    } finally {
      connection
          .shards()
          .onLoop(() -> {
            transaction.statementOver();
            return CompletableFuture.completedFuture(null);
          });
    }
  }

  private void runInside(StatementRun run, Work work) {
    if (calls(work)) {
      together(run, inner -> runAlone(inner, work));
    } else {
      runAlone(run, work);
    }
  }

  private void runAlone(StatementRun run, Work work) {
    switch (work) {
      case Work.Data data -> connection.services().statements().data().run(run, data.plan());
      case Work.Administrative admin -> administer(run, admin.statement());
    }
  }

  @Override
  public AlraiException failed(StatementRun run, AlraiException error) {
    return SlowErrors.undo(run, error);
  }

  @Override
  public Catalog catalog() {
    return connection.session().temporary().over(connection.services().gms().catalog());
  }

  @Override
  public SettingsRegistry settings() {
    return connection.services().clients().settings();
  }

  @Override
  public Collations collations() {
    return connection.services().clients().collations();
  }

  @Override
  public ShardQueries queries() {
    return queries;
  }
}
