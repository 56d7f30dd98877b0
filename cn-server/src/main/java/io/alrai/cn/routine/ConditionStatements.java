package io.alrai.cn.routine;

import io.alrai.cn.statement.StatementRun;
import io.alrai.common.error.AlraiException;
import io.alrai.common.wire.OkPacket;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.routine.Routine;
import io.alrai.optimizer.api.routine.RoutineParser;
import io.alrai.optimizer.api.routine.Step;
import io.alrai.optimizer.api.routine.Step.Target;
import io.alrai.optimizer.api.text.LexicalMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * SIGNAL, RESIGNAL and GET DIAGNOSTICS that are no part of a procedure: no handler is at work, and
 * the diagnostics area is what SHOW WARNINGS shows. One virtual thread.
 */
final class ConditionStatements {
  private final StatementRun run;
  private final Invocation invocation;

  ConditionStatements(StatementRun run, Invocation invocation) {
    this.run = run;
    this.invocation = invocation;
  }

  /**
   * Runs a statement and answers the client.
   *
   * @throws AlraiException what it signals, or what is wrong with it
   */
  void run(AdminStatement.OnConditions statement) {
    LexicalMode mode = run.session().variables().lexicalMode();
    Step.OnConditions step =
        RoutineParser.onConditions(statement.sql(), mode.ansiQuotes(), mode.noBackslashEscapes());
    Frame frame = new Frame(new Routine(List.of(), List.of(), List.of(), step), List.of());
    DiagnosticsStatements conditions =
        new DiagnosticsStatements(frame, invocation.statements(), invocation.diagnostics());
    switch (step) {
      case Step.Signal signal -> signal(signal, conditions);
      case Step.Diagnose diagnose -> diagnose(diagnose, conditions);
    }
  }

  private void signal(Step.Signal signal, DiagnosticsStatements conditions) {
    List<RaisedCondition> all = new ArrayList<>();
    RaisedCondition raised =
        conditions.signalled(signal, all, run.session().variables().settings().isStrict());
    if (raised.isError()) {
      throw raised.error();
    }
    all.add(raised);
    invocation.diagnostics().put(all);
    run.session().last().rowCount(-1);
    ok(all.size());
  }

  /** Leaves ROW_COUNT() and the conditions as they are, and adds what was wrong with a number. */
  private void diagnose(Step.Diagnose diagnose, DiagnosticsStatements conditions) {
    Optional<List<LocalValue>> values = conditions.values(diagnose);
    for (int i = 0; values.isPresent() && i < values.get().size(); i++) {
      if (diagnose.items().get(i).target() instanceof Target.User user) {
        run.session().variables().assign(Map.of(user.name(), values.get().get(i).userVariable()));
      }
    }
    ok(values.isPresent() ? 0 : 1);
  }

  private void ok(int warnings) {
    run.writer().ok(new OkPacket(0, 0, run.statusFlags(), warnings, ""));
  }
}
