package io.alrai.cn.write;

import io.alrai.cn.gather.GatherExecutor;
import io.alrai.cn.select.SelectExecutor;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.statement.ValueWarnings;
import io.alrai.cn.statement.WriteOutcome;
import io.alrai.cn.text.ExecutorParts;
import io.alrai.cn.write.WriteExecutor.PlaceStatement;
import io.alrai.common.wire.OkPacket;
import io.alrai.executor.fragment.GatherPlan;
import io.alrai.executor.fragment.Plan.KeySource;
import io.alrai.executor.fragment.Plan.KeyedTarget;
import io.alrai.executor.fragment.Plan.KeyedWrite;
import io.alrai.executor.fragment.ShardPlace;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.executor.operator.RowSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * UPDATE or DELETE with LIMIT over several places, or one that reads or writes rows of other
 * places: a locking SELECT chooses the rows of all tables that are written, then each place writes
 * its own by their primary keys. Inside a transaction.
 */
final class KeyedWriteExecutor {
  private final ExecutorParts parts;
  private final SelectExecutor selects;

  KeyedWriteExecutor(ExecutorParts parts, SelectExecutor selects) {
    this.parts = parts;
    this.selects = selects;
  }

  /** {@code places} are those that the statement leads to. */
  WriteOutcome run(StatementRun run, KeyedWrite write, List<ShardPlace> places) {
    boolean valued = !(write.rows() instanceof KeySource.Rehearsed);
    List<KeyedRows> targets = new ArrayList<>();
    int start = 0;
    for (KeyedTarget target : write.targets()) {
      targets.add(new KeyedRows(parts, run, target, start, places));
      start += target.width(valued);
    }
    try {
      return run(run, write, places, targets);
    } finally {
      targets.forEach(KeyedRows::close);
    }
  }

  private WriteOutcome run(
      StatementRun run, KeyedWrite write, List<ShardPlace> places, List<KeyedRows> targets) {
    targets.forEach(KeyedRows::check);
    WriteOutcome outcome = new WriteOutcome(WriteOutcome.isUpdate(run));
    List<Condition> told =
        switch (write.rows()) {
          case KeySource.Merged merged -> {
            read(selects.merged(run, merged.plan(), places, true, new int[1]), targets);
            run.shards().takeWarnings();
            yield List.of();
          }
          case KeySource.Gathered gathered -> gathered(run, gathered, targets, write, outcome);
          case KeySource.Rehearsed rehearsed -> rehearsed(run, rehearsed, targets);
        };
    run.shards().collector().addAll(told);
    outcome.warned(told.size());
    write(run, targets, outcome);
    return outcome;
  }

  private static void read(RowSource source, List<KeyedRows> targets) {
    try (source) {
      while (source.advance()) {
        targets.forEach(target -> target.add(source));
      }
    }
  }

  /** The warnings of choosing rows and values, which are errors under a strict mode. */
  private List<Condition> gathered(
      StatementRun run,
      KeySource.Gathered gathered,
      List<KeyedRows> targets,
      KeyedWrite write,
      WriteOutcome outcome) {
    GatherPlan plan = gathered.plan();
    if (plan.functions().isEmpty()) {
      ErrorAsWritten.check(parts, run);
    }
    if (SafeUpdates.areAsked(run)) {
      gathered.statement().ifPresent(statement -> SafeUpdates.check(run, selects, plan, statement));
    }
    if (gathered.ofSession().isPresent()) {
      return beside(run, plan, gathered.ofSession().get(), targets, write, outcome);
    }
    boolean refuses = refuses(run, write);
    List<Condition> told = chosen(run, plan, targets, write.ignores());
    if (refuses && ValueWarnings.dependOnPlan(told) && plan.mayBeTemporary()) {
      targets.forEach(KeyedRows::forget);
      told = chosen(run, plan.withTables(), targets, write.ignores());
    }
    if (refuses) {
      ValueWarnings.refuse(told);
    }
    Queue<Condition> converting = new ConcurrentLinkedQueue<>();
    targets.forEach(target -> target.end(converting));
    told.addAll(converting);
    return told;
  }

  private static boolean refuses(StatementRun run, KeyedWrite write) {
    return run.session().variables().settings().isStrict() && !write.ignores();
  }

  /**
   * Chooses the rows, then writes those of the session's tables that have no key, while the copies
   * of the others are still as before the statement.
   */
  private List<Condition> beside(
      StatementRun run,
      GatherPlan plan,
      SqlTemplate unkeyed,
      List<KeyedRows> targets,
      KeyedWrite write,
      WriteOutcome outcome) {
    try (GatherExecutor.Copies copies = selects.copies(run, plan)) {
      List<Condition> told = ValueWarnings.of(run.shards().takeWarnings());
      try (RowSource rows = copies.rows(plan.sql())) {
        choose(plan, targets, write.ignores(), rows);
      }
      told = ValueWarnings.together(told, ValueWarnings.of(run.shards().takeWarnings()));
      if (refuses(run, write)) {
        ValueWarnings.refuse(told);
      }
      OkPacket ok = copies.write(unkeyed);
      outcome.add(new OkPacket(ok.affectedRows(), 0, 0, 0, ok.info()));
      return ValueWarnings.together(told, run.shards().takeWarnings());
    }
  }

  private static void choose(
      GatherPlan plan, List<KeyedRows> targets, boolean ignores, RowSource rows) {
    targets.forEach(target -> target.begin(plan, rows.columns(), ignores));
    while (rows.advance()) {
      targets.forEach(target -> target.add(rows));
    }
  }

  /** Chooses the rows; gives the warnings about values. */
  private List<Condition> chosen(
      StatementRun run, GatherPlan plan, List<KeyedRows> targets, boolean ignores) {
    List<Condition> copying = new ArrayList<>();
    Runnable copied = () -> copying.addAll(ValueWarnings.of(run.shards().takeWarnings()));
    try (RowSource rows = selects.gathered(run, plan, copied)) {
      choose(plan, targets, ignores, rows);
    }
    return ValueWarnings.together(copying, ValueWarnings.of(run.shards().takeWarnings()));
  }

  /**
   * The keys first: the statement may change what it has chosen by. Its values are those that its
   * copies have afterwards.
   */
  private List<Condition> rehearsed(
      StatementRun run, KeySource.Rehearsed rehearsed, List<KeyedRows> targets) {
    ErrorAsWritten.check(parts, run);
    try (GatherExecutor.Copies copies = selects.copies(run, rehearsed.plan())) {
      try (RowSource rows = copies.rows(rehearsed.plan().sql())) {
        while (rows.advance()) {
          targets.forEach(target -> target.expect(rows));
        }
      }
      run.shards().takeWarnings();
      copies.write(rehearsed.statement());
      List<Condition> told = run.shards().takeWarnings();
      for (int i = 0; i < targets.size(); i++) {
        try (RowSource rows = copies.rows(rehearsed.values().get(i))) {
          while (rows.advance()) {
            targets.get(i).addExpected(rows);
          }
        }
      }
      run.shards().takeWarnings();
      return told;
    }
  }

  private static void write(StatementRun run, List<KeyedRows> targets, WriteOutcome outcome) {
    List<PlaceStatement> statements = new ArrayList<>();
    List<KeyedRows> owners = new ArrayList<>();
    for (KeyedRows target : targets) {
      for (PlaceStatement statement : target.statements()) {
        statements.add(statement);
        owners.add(target);
      }
    }
    List<OkPacket> answers = WriteExecutor.answers(run, statements);
    for (int i = 0; i < answers.size(); i++) {
      PlaceStatement statement = statements.get(i);
      owners.get(i).done(statement, answers.get(i));
      if (!statement.copy()) {
        outcome.add(answers.get(i));
      }
    }
    targets.forEach(KeyedRows::move);
  }
}
