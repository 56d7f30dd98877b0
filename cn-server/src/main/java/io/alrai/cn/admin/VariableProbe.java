package io.alrai.cn.admin;

import io.alrai.cn.branch.BranchPreparation;
import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.gather.VariableReading;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.cn.shard.ShardStatement;
import io.alrai.cn.shard.SideBranch;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.sql.Sql;
import io.alrai.common.sql.VariableName;
import io.alrai.common.type.Collations;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Has a mysqld check a SET and say what the variable is then. The branch is closed afterwards, so
 * that no other session sees the change; reset, it would do other things to foreign keys than one
 * that never was. Answers are remembered, as clients send the same SETs at every connect. Blocking;
 * thread-safe.
 */
final class VariableProbe {
  private static final int MAX_KEPT = 2_000;

  private static final String SCRATCH = "@`__alrai_scratch`";

  /** A schema that is always there. */
  private static final String HOME = "information_schema";

  private record Question(SessionSettings settings, VariableName name, String expression) {}

  /**
   * What a mysqld makes of a SET.
   *
   * @param literal of the value that the variable has then
   * @param warnings of the SET
   */
  record Answer(String literal, List<Condition> warnings) {}

  private final ShardQueries queries;
  private final Collations collations;
  private final Map<Question, Answer> known = new ConcurrentHashMap<>();

  VariableProbe(ShardQueries queries, Collations collations) {
    this.queries = queries;
    this.collations = collations;
  }

  /**
   * What a session variable has after {@code SET SESSION name = expression}, and its warnings.
   *
   * @param userVariables of the session; the expression may read them
   * @throws AlraiException the mysqld's refusal
   */
  Answer set(
      SessionSettings settings,
      Map<String, String> userVariables,
      VariableName name,
      String expression) {
    Question question = new Question(settings, name, expression);
    Answer answer = known.get(question);
    if (answer == null) {
      SessionSettings all = settings.withUserVariables(userVariables);
      Sql set = Sql.of("SET SESSION ").variable(name).words(" = ").written(expression);
      Sql read = Sql.of("SELECT @@SESSION.").variable(name);
      answer = named(schema -> ask(all, schema, set, read));
      if (known.size() < MAX_KEPT && expression.indexOf('@') < 0 && expression.indexOf('(') < 0) {
        known.put(question, answer);
      }
    }
    return answer;
  }

  /**
   * The literal of an expression without subqueries, as a user variable would hold it.
   *
   * @param settings with the user variables that the expression may read
   * @throws AlraiException the mysqld's refusal
   */
  String evaluate(SessionSettings settings, String expression) {
    return named(schema -> evaluate(settings, schema, expression));
  }

  /**
   * What runs under any current schema tells an unknown function as 1305 with the schema's name,
   * but as 1046 where the connection has none, or none any more.
   */
  private static <T> T named(Function<String, T> work) {
    try {
      return work.apply("");
    } catch (AlraiException e) {
      if (!e.is(ErrorCode.ER_NO_DB_ERROR)) {
        throw e;
      }
      return work.apply(HOME);
    }
  }

  private String evaluate(SessionSettings settings, String schema, String expression) {
    SideBranch side = SideBranch.open(queries, queries.links().any(), settings);
    try {
      side.update(schema, Sql.of("SET " + SCRATCH + " = ").written(expression));
      String literal;
      try (ShardCall call = side.start(schema, VariableReading.query(List.of(Sql.of(SCRATCH))))) {
        literal = VariableReading.literals(call, collations).getFirst();
      }
      side.update(schema, Sql.of("SET " + SCRATCH + "=NULL"));
      return literal;
    } finally {
      if (mayLeaveTraces(expression)) {
        side.discard();
      } else {
        side.close();
      }
    }
  }

  /** Whether it may assign other variables, or LAST_INSERT_ID(). */
  private static boolean mayLeaveTraces(String expression) {
    return expression.contains(":=") || expression.indexOf('(') >= 0;
  }

  private Answer ask(SessionSettings settings, String schema, Sql set, Sql read) {
    ShardCall setting = new ShardCall(() -> {});
    ShardCall warnings = new ShardCall(() -> {});
    ShardCall reading = new ShardCall(() -> {});
    queries.take(
        queries.links().any(),
        BackendAccount.DATA,
        new BranchTaker() {
          @Override
          public void taken(Branch branch) {
            setting.runsOn(branch);
            warnings.runsOn(branch);
            reading.runsOn(branch);
            BranchPreparation.queue(branch, settings, schema);
            ShardStatement.text(set).send(branch, setting);
            ShardStatement.text(Sql.of("SHOW WARNINGS")).send(branch, warnings);
            ShardStatement.text(read).send(branch, reading);
            BranchPreparation.whenIdle(branch, done -> branch.close());
            branch.flush();
          }

          @Override
          public void refused(AlraiException reason) {
            setting.refuse(reason);
            warnings.refuse(reason);
            reading.refuse(reason);
          }
        });
    try (reading;
        warnings;
        setting) {
      setting.update();
      List<Condition> told =
          ShardQueries.rows(warnings).stream()
              .map(row ->
                  new Condition(
                      Objects.requireNonNullElse(row.get(0), ""),
                      Integer.parseInt(Objects.requireNonNullElse(row.get(1), "0")),
                      Objects.requireNonNullElse(row.get(2), "")))
              .toList();
      return new Answer(first(reading), told);
    }
  }

  private static String first(ShardCall call) {
    List<ColumnDefinition> columns = call.columns();
    byte[] row = call.nextRow();
    String value =
        row == null
            ? "NULL"
            : Objects.requireNonNullElse(ShardQueries.texts(row, 1).get(0), "NULL");
    boolean isNull = row == null || row[0] == (byte) 0xfb;
    call.status();
    if (isNull) {
      return "NULL";
    }
    ColumnDefinition column = columns.get(0);
    if (column.type().isNumeric()) {
      return value;
    }
    return Sql.EMPTY.literal(value).text();
  }
}
