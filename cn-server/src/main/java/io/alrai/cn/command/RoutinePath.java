package io.alrai.cn.command;

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
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.tx.SessionTransaction;
import io.alrai.common.error.AlraiException;
import io.alrai.common.type.Collations;
import io.alrai.executor.fragment.Plan;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.LockStage;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.HandlerStatement;
import io.alrai.optimizer.api.Needs;
import io.alrai.optimizer.api.Planned.Work;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.api.text.ParameterSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

  /** Whether a statement calls functions that CNs interpret. */
  static boolean calls(Work work) {
    return switch (work) {
      case Work.Data data -> calls(data.plan());
      case Work.Administrative(AdminStatement.WithCalls _) -> true;
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
      default -> false;
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
      AdminStatement end = done ? AdminStatement.Commit.PLAIN : AdminStatement.Rollback.PLAIN;
      connection.shards().onLoop(() -> dispatch.loopStatements().start(end).orElseThrow());
    }
    held.release();
  }

  /** CALL; on a virtual thread. */
  void call(StatementRun run, AdminStatement.Call call) {
    procedures.call(run, call);
  }

  /** SIGNAL, RESIGNAL and GET DIAGNOSTICS of the client; on a virtual thread. */
  void onConditions(StatementRun run, AdminStatement.OnConditions statement) {
    procedures.onConditions(run, statement);
  }

  /** HANDLER; on a virtual thread. */
  void handle(StatementRun run, HandlerStatement statement) {
    handlers.run(run, statement);
  }

  /** Any other statement that the CN runs by itself; on a virtual thread. */
  void administer(StatementRun run, AdminStatement statement) {
    handlers.before(run, statement);
    connection.services().statements().admin().run(run, statement);
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
          case Work.Administrative admin -> StatementDispatch.readsRows(admin.statement());
        };
    if (rows) {
      dispatch.beginIfNeeded(planned);
    }
  }

  /** Runs one of the statements that belong on the event loop, if it is one. */
  private boolean isRunOnLoop(AdminStatement statement) {
    boolean done =
        connection
            .shards()
            .onLoop(() -> {
              Optional<CompletableFuture<Void>> work = started(statement);
              return work.isEmpty()
                  ? CompletableFuture.completedFuture(false)
                  : work.get().thenApply(nothing -> true);
            });
    if (done) {
      connection.session().last().rowCount(0);
      connection.session().last().diagnostics(Diagnostics.NONE);
    }
    return done;
  }

  private Optional<CompletableFuture<Void>> started(AdminStatement statement) {
    return switch (statement) {
      case AdminStatement.Prepare prepare -> {
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
        yield Optional.of(done);
      }
      case AdminStatement.Deallocate deallocate -> {
        named.deallocate(deallocate);
        yield Optional.of(CompletableFuture.completedFuture(null));
      }
      default -> dispatch.loopStatements().start(statement);
    };
  }

  @Override
  public Prepared prepared(AdminStatement.Execute execute) {
    return onLoop(() -> {
      NamedStatements.Execution execution = named.execution(execute);
      begin(execution.planned());
      return new Prepared(execution.planned(), execution.sql());
    });
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
    if (work instanceof Work.Administrative(AdminStatement.WithCalls _)) {
      withCalls(run);
    } else if (calls(work)) {
      together(run, inner -> runAlone(inner, work));
    } else {
      runAlone(run, work);
    }
  }

  private void runAlone(StatementRun run, Work work) {
    switch (work) {
      case Work.Data data -> connection.services().statements().data().run(run, data.plan());
      case Work.Administrative(AdminStatement.Call call) -> procedures.call(run, call);
      case Work.Administrative admin -> {
        if (!isRunOnLoop(admin.statement())) {
          administer(run, admin.statement());
        }
      }
    }
  }

  @Override
  public void failed(StatementRun run, AlraiException error) {
    SlowErrors.undo(run, error);
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
