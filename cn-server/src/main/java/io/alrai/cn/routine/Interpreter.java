package io.alrai.cn.routine;

import io.alrai.cn.branch.BranchControl;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.statement.StatementRun;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.optimizer.api.routine.Fragment;
import io.alrai.optimizer.api.routine.Step;
import io.alrai.optimizer.api.routine.Step.Declaration;
import io.alrai.optimizer.api.routine.Step.Target;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs the body of a procedure, once. One virtual thread. */
final class Interpreter {
  static final String NO_DATA = "No data - zero rows fetched, selected, or processed";

  private final Invocation invocation;
  private final StatementRun call;
  private final Frame frame;
  private final String name;
  private final InnerStatements statements;
  private final DiagnosticsArea diagnostics;
  private final DiagnosticsStatements conditions;
  private final Conversion conversion;
  private Deque<ActiveBlock> blocks = new ArrayDeque<>();

  /**
   * A run.
   *
   * @param name of the procedure, as errors have it
   */
  Interpreter(Invocation invocation, Frame frame, String name) {
    this.invocation = invocation;
    this.call = invocation.call();
    this.frame = frame;
    this.name = name;
    this.diagnostics = invocation.diagnostics();
    this.statements = invocation.statements();
    this.conversion = new Conversion(invocation.path().queries(), call.session());
    this.conditions = new DiagnosticsStatements(frame, statements, diagnostics);
  }

  private Session session() {
    return call.session();
  }

  /**
   * Gives a variable a value.
   *
   * @throws AlraiException where its type does not take it
   */
  void assign(int slot, LocalValue value) {
    List<Condition> warnings = new ArrayList<>();
    frame.set(slot, conversion.convert(value, frame.type(slot), frame.name(slot), warnings));
    if (!warnings.isEmpty()) {
      diagnostics.put(RaisedCondition.of(warnings));
    }
  }

  /**
   * Runs the whole body.
   *
   * @return whether it has come to a RETURN
   * @throws AlraiException what no handler takes
   */
  boolean run() {
    try {
      return run(frame.routine().body()) == Flow.RETURN;
    } catch (Unhandled e) {
      throw e.error();
    }
  }

  private Flow run(List<Step> steps) {
    for (Step step : steps) {
      Flow flow = run(step);
      if (flow != Flow.NEXT) {
        return flow;
      }
    }
    return Flow.NEXT;
  }

  private Flow run(Step step) {
    try {
      invocation.requireAlive();
      return switch (step) {
        case Step.Block block -> block(block);
        case Step.If choice -> choice(choice);
        case Step.Case choice -> choice(choice);
        case Step.Loop loop -> loop(loop);
        case Step.Return result -> {
          diagnostics.begin();
          assign(frame.routine().parameters().size() - 1, value(result.value()));
          yield Flow.RETURN;
        }
        case Step.Leave leave -> new Flow.Leave(leave.label());
        case Step.Iterate iterate -> new Flow.Iterate(iterate.label());
        case Step.Signal signal -> signal(signal);
        case Step.Simple simple -> {
          run(simple);
          yield warned();
        }
      };
    } catch (AlraiException e) {
      AlraiException told = invocation.path().failed(call, e);
      return raised(diagnostics.of(told), told);
    }
  }

  private void run(Step.Simple step) {
    diagnostics.begin();
    switch (step) {
      case Step.Assign assign -> assign(assign.slot(), value(assign.value()));
      case Step.Sql sql -> sql(sql);
      case Step.SelectInto select -> selectInto(select);
      case Step.Open open -> open(open.cursor());
      case Step.Fetch fetch -> {
        List<LocalValue> row = frame.fetch(fetch.cursor(), fetch.targets().size());
        diagnostics.put(List.of());
        put(fetch.targets(), row);
      }
      case Step.Close close -> frame.close(close.cursor());
      case Step.Diagnose diagnose -> put(diagnose);
      case Step.Call inner -> invocation.inner(inner, frame, this);
    }
  }

  private LocalValue value(Fragment expression) {
    return statements.value(expression, frame.values(expression));
  }

  private boolean isTrue(Fragment condition) {
    return statements.isTrue(condition, frame.values(condition));
  }

  /** Gives variables the values of a row. */
  void put(List<Target> targets, List<LocalValue> values) {
    for (int i = 0; i < targets.size(); i++) {
      put(targets.get(i), values.get(i));
    }
  }

  /** Gives a variable of the routine or of the user a value. */
  void put(Target target, LocalValue value) {
    switch (target) {
      case Target.Local local -> assign(local.slot(), value);
      case Target.User user ->
          session().variables().assign(Map.of(user.name(), value.userVariable()));
    }
  }

  private void put(Step.Diagnose diagnose) {
    List<Target> targets = diagnose.items().stream().map(Step.Diagnose.Item::target).toList();
    conditions.values(diagnose).ifPresent(values -> put(targets, values));
  }

  // Statements

  private void sql(Step.Sql sql) {
    PassedResult result = new PassedResult(call, 0, name);
    boolean done = false;
    try {
      if (sql.marked()) {
        statements.marked(sql.text(), frame.values(sql.text()), result);
      } else {
        statements.filled(sql.text(), frame.values(sql.text()), result);
      }
      done = true;
    } finally {
      if (!done) {
        result.broken();
      }
    }
    diagnostics.take();
  }

  private void selectInto(Step.SelectInto select) {
    KeptResult rows = statements.rows(select.query(), frame.values(select.query()), 2);
    diagnostics.take();
    if (rows.kept().size() != select.targets().size()) {
      throw new AlraiException(
          ErrorCode.ER_WRONG_NUMBER_OF_COLUMNS_IN_SELECT,
          "The used SELECT statements have a different number of columns");
    }
    if (rows.size() > 1) {
      put(select.targets(), rows.values(0));
      throw new AlraiException(ErrorCode.ER_TOO_MANY_ROWS, "Result consisted of more than one row");
    }
    session().last().rowCount(rows.size());
    if (rows.size() == 0) {
      List<RaisedCondition> all = new ArrayList<>(diagnostics.current());
      ErrorCode code = ErrorCode.ER_SP_FETCH_NO_DATA;
      all.add(RaisedCondition.of(new Condition("Warning", code.errno(), NO_DATA)));
      diagnostics.put(all);
      return;
    }
    put(select.targets(), rows.values(0));
  }

  private void open(int cursor) {
    if (frame.isOpen(cursor)) {
      throw new AlraiException(ErrorCode.ER_SP_CURSOR_ALREADY_OPEN, "Cursor is already open");
    }
    Fragment query = frame.routine().cursors().get(cursor);
    frame.open(cursor, statements.rows(query, frame.values(query), Long.MAX_VALUE));
    diagnostics.take();
  }

  // Compound statements

  private Flow block(Step.Block block) {
    for (Declaration declaration : block.declarations()) {
      switch (declaration) {
        case Declaration.Variable variable -> declare(variable);
        case Declaration.Cursor cursor -> frame.forget(cursor.number());
        case Declaration.Handler handler -> {
          // found when it is needed
        }
      }
    }
    ActiveBlock active = new ActiveBlock(block);
    blocks.push(active);
    Flow flow;
    try {
      flow = run(block.steps());
    } finally {
      blocks.pop();
      for (Declaration declaration : block.declarations()) {
        if (declaration instanceof Declaration.Cursor cursor) {
          frame.forget(cursor.number());
        }
      }
    }
    boolean ends =
        switch (flow) {
          case Flow.Exit exit -> exit.block() == active;
          case Flow.Leave leave -> isLabel(block.label(), leave.label());
          case Flow.Next next -> true;
          case Flow.Iterate iterate -> false;
          case Flow.Return result -> false;
        };
    return ends ? Flow.NEXT : flow;
  }

  private static boolean isLabel(String label, String wanted) {
    return !label.isEmpty() && label.equals(wanted);
  }

  private void declare(Declaration.Variable variable) {
    frame.set(variable.slot(), LocalValue.NULL);
    if (variable.initial().isPresent()) {
      assign(variable.slot(), value(variable.initial().get()));
    }
  }

  private Flow choice(Step.If choice) {
    for (Step.Branch branch : choice.branches()) {
      if (isTrue(branch.condition())) {
        return run(branch.steps());
      }
    }
    return run(choice.otherwise());
  }

  private Flow choice(Step.Case choice) {
    for (Step.Branch branch : choice.branches()) {
      if (choice.operand().isEmpty() && isTrue(branch.condition())) {
        return run(branch.steps());
      }
    }
    if (choice.operand().isPresent()) {
      Optional<Step.Branch> equal = equal(value(choice.operand().get()), choice.branches());
      if (equal.isPresent()) {
        return run(equal.get().steps());
      }
    }
    return run(
        choice
            .otherwise()
            .orElseThrow(() ->
                new AlraiException(
                    ErrorCode.ER_SP_CASE_NOT_FOUND, "Case not found for CASE statement")));
  }

  private Optional<Step.Branch> equal(LocalValue operand, List<Step.Branch> branches) {
    int slot = frame.temporary(operand);
    try {
      for (Step.Branch branch : branches) {
        Fragment compared = branch.condition().comparedWith(slot);
        if (isTrue(compared)) {
          return Optional.of(branch);
        }
      }
      return Optional.empty();
    } finally {
      frame.forgetTemporary();
    }
  }

  private Flow loop(Step.Loop loop) {
    while (true) {
      invocation.requireAlive();
      if (loop.before().isPresent() && !isTrue(loop.before().get())) {
        return Flow.NEXT;
      }
      Flow flow = run(loop.steps());
      if (flow instanceof Flow.Leave leave && isLabel(loop.label(), leave.label())) {
        return Flow.NEXT;
      }
      boolean again =
          flow instanceof Flow.Iterate iterate && isLabel(loop.label(), iterate.label());
      if (flow != Flow.NEXT && !again) {
        return flow;
      }
      if (loop.behind().isPresent() && !again && isTrue(loop.behind().get())) {
        return Flow.NEXT;
      }
    }
  }

  // Conditions

  private Flow signal(Step.Signal signal) {
    List<RaisedCondition> all = new ArrayList<>(signal.again() ? diagnostics.current() : List.of());
    RaisedCondition raised =
        conditions.signalled(signal, all, session().variables().settings().isStrict());
    if (raised.isError()) {
      return raised(raised, diagnostics.error(raised));
    }
    all.add(raised);
    diagnostics.put(all);
    session().last().rowCount(0);
    return warned();
  }

  /** After a statement that has succeeded: the last of its warnings that a handler is for. */
  private Flow warned() {
    List<RaisedCondition> all = diagnostics.fresh();
    for (int i = all.size() - 1; i >= 0; i--) {
      RaisedCondition raised = all.get(i);
      if (!raised.level().equals("Note") && !diagnostics.isStacked(raised)) {
        for (ActiveBlock block : blocks) {
          Optional<Declaration.Handler> handler = block.handler(raised);
          if (handler.isPresent()) {
            return handled(block, handler.get(), raised);
          }
        }
      }
    }
    return Flow.NEXT;
  }

  private Flow raised(RaisedCondition raised, AlraiException error) {
    if (error.is(ErrorCode.ER_QUERY_INTERRUPTED) || endsStatement(error)) {
      throw new Unhandled(error);
    }
    for (ActiveBlock block : blocks) {
      Optional<Declaration.Handler> handler = block.handler(raised);
      if (handler.isPresent()) {
        session().last().rowCount(-1);
        diagnostics.put(List.of(raised));
        return handled(block, handler.get(), raised);
      }
    }
    throw new Unhandled(error);
  }

  /** What has ended a function's transaction ends the statement that called it, too. */
  private boolean endsStatement(AlraiException error) {
    return BranchControl.losesTransaction(error) && !error.signalled() && invocation.inFunction();
  }

  /** A handler's own conditions are for the handlers of blocks around its own. */
  private Flow handled(ActiveBlock block, Declaration.Handler handler, RaisedCondition raised) {
    Deque<ActiveBlock> before = blocks;
    Deque<ActiveBlock> around = new ArrayDeque<>();
    boolean outside = false;
    for (ActiveBlock each : before) {
      if (outside) {
        around.addLast(each);
      }
      outside |= each == block;
    }
    blocks = around;
    diagnostics.handling(raised);
    Flow flow;
    try {
      flow = run(handler.body());
    } finally {
      diagnostics.handledOne();
      blocks = before;
    }
    if (flow != Flow.NEXT) {
      return flow;
    }
    return handler.exits() ? new Flow.Exit(block) : Flow.NEXT;
  }
}
