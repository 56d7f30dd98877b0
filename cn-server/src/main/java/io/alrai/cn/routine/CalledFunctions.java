package io.alrai.cn.routine;

import io.alrai.cn.branch.OwnWork;
import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.Diagnostics;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.cn.shard.SideBranch;
import io.alrai.cn.statement.FunctionValues;
import io.alrai.cn.statement.StatementRun;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.gms.api.Procedure;
import io.alrai.gms.api.StoredFunction;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.routine.Fragment;
import io.alrai.optimizer.api.routine.InterpretedCalls;
import io.alrai.optimizer.api.routine.InterpretedCalls.Call;
import io.alrai.optimizer.api.routine.InterpretedCalls.Marker;
import io.alrai.optimizer.api.routine.Routine;
import io.alrai.optimizer.api.routine.Routine.Variable;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.text.StatementKind;
import io.alrai.optimizer.api.token.FunctionCalls;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Stored functions that CNs interpret, called by the statements of one session. On the virtual
 * thread that the session is lent to.
 */
public final class CalledFunctions implements FunctionValues {
  private static final int MAX_KEPT = 100;
  private static final Set<StatementKind> DATA =
      EnumSet.of(
          StatementKind.QUERY,
          StatementKind.INSERT,
          StatementKind.REPLACE,
          StatementKind.UPDATE,
          StatementKind.DELETE);

  private final Procedures procedures;
  private final SessionPath path;
  private final Map<StoredFunction, ColumnDefinition> results =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<StoredFunction, ColumnDefinition> eldest) {
          return size() > MAX_KEPT;
        }
      };

  /** Calls over the path of procedures. */
  public CalledFunctions(Procedures procedures, SessionPath path) {
    this.procedures = procedures;
    this.path = path;
  }

  /** Whether the statement is a CALL: what it does is not one transaction's. */
  public static boolean isCall(StatementRun run) {
    LexicalMode mode = run.session().variables().lexicalMode();
    return ShapedText.of(run.statement().text(), mode).kind() == StatementKind.CALL;
  }

  /**
   * Evaluates a statement's calls that need no rows.
   *
   * @return runs the statement with their values
   * @throws AlraiException what a function fails with
   */
  public Consumer<StatementRun> evaluated(StatementRun run) {
    Session session = run.session();
    LexicalMode mode = session.variables().lexicalMode();
    String sql = run.statement().text();
    Planner.Context context =
        new Planner.Context(
            path.catalog(), session.schema(), mode.ansiQuotes(), mode.noBackslashEscapes());
    List<Call> calls = InterpretedCalls.of(sql, context);
    boolean rows = InterpretedCalls.readsRows(sql, context);
    calls.forEach(call -> requireOnce(call.function(), rows));
    Invocation invocation = new Invocation(procedures, path, run.with(new NoRows(run)));
    List<LocalValue> values =
        beside(
            session, () -> using(ShapedText.of(sql, mode), () -> values(invocation, run, calls)));
    Fragment text = InterpretedCalls.without(sql, calls, context);
    List<Marker> markers = InterpretedCalls.markers(sql, calls, context);
    Map<Integer, ColumnDefinition> columns = new HashMap<>();
    InterpretedCalls.columns(sql, calls, context)
        .forEach((column, call) -> columns.put(column, result(run, calls.get(call).function())));
    boolean data = DATA.contains(ShapedText.of(sql, mode).kind());
    return target -> {
      StatementRun typed = target.with(new TypedResult(target.writer(), columns));
      InnerStatements statements =
          new InnerStatements(path, typed, invocation.diagnostics(), procedures.used());
      if (data) {
        statements.asClient(text.marked(), new MarkedParameters(markers, values, run, mode));
      } else {
        List<Marker> others = markers.stream().filter(Marker.OfClient.class::isInstance).toList();
        statements.asClient(
            statements.filled(text, values), new MarkedParameters(others, List.of(), run, mode));
      }
    };
  }

  /** A call that writes, or may give another value, is made for each row. */
  private void requireOnce(StoredFunction function, boolean rows) {
    String varying = FunctionCalls.varying(path.catalog(), function);
    if (rows && !varying.isEmpty()) {
      throw AlraiException.unsupported(
          "function "
              + function.name()
              + ", which may give another value or write something each time ("
              + varying
              + "), in a statement that reads rows; SET @x = "
              + function.name()
              + "(..) before it");
    }
  }

  /** The tables of a statement are in use while its functions are at work. */
  private <T> T using(ShapedText statement, Supplier<T> work) {
    procedures.used().enter(statement);
    try {
      return work.get();
    } finally {
      procedures.used().leave();
    }
  }

  /** What the session knows of its last statement stays. */
  private static <T> T beside(Session session, Supplier<T> work) {
    long rowCount = session.last().rowCount();
    long foundRows = session.last().foundRows();
    long lastInsertId = session.last().lastInsertId();
    Diagnostics before = session.last().diagnostics();
    try {
      return work.get();
    } finally {
      session.last().rowCount(rowCount);
      session.last().foundRows(foundRows);
      session.last().lastInsertId(lastInsertId);
      session.last().diagnostics(before);
    }
  }

  private List<LocalValue> values(Invocation invocation, StatementRun run, List<Call> calls) {
    List<LocalValue> values = new ArrayList<>();
    for (Call call : calls) {
      List<LocalValue> arguments =
          call.arguments().isEmpty() ? List.of() : arguments(invocation, run, call);
      values.add(value(invocation, call.function(), arguments));
    }
    return values;
  }

  private static List<LocalValue> arguments(Invocation invocation, StatementRun run, Call call) {
    List<Marker> markers = new ArrayList<>();
    for (int i = 0; i < run.statement().slotCount(); i++) {
      markers.add(new Marker.OfClient(call.firstParameter() + i));
    }
    LexicalMode mode = run.session().variables().lexicalMode();
    return invocation
        .statements()
        .values(call.arguments(), new MarkedParameters(markers, List.of(), run, mode));
  }

  private LocalValue value(
      Invocation invocation, StoredFunction function, List<LocalValue> arguments) {
    Procedure program = function.interpreted().orElseThrow();
    Routine routine = procedures.routine(program);
    int expected = routine.parameters().size() - 1;
    if (arguments.size() != expected) {
      throw new AlraiException(
          ErrorCode.ER_SP_WRONG_NO_OF_ARGS,
          "Incorrect number of arguments for FUNCTION "
              + Invocation.name(program)
              + "; expected "
              + expected
              + ", got "
              + arguments.size());
    }
    try (OwnWork.Registration _ = invocation.call().shards().ownWork().begin(invocation::kill)) {
      return invocation.function(program, routine, arguments);
    }
  }

  /** What a column with a function's values is: a mysqld says it, which calls nothing for it. */
  private ColumnDefinition result(StatementRun run, StoredFunction function) {
    return results.computeIfAbsent(
        function,
        fresh -> {
          int parameters = variables(fresh).size() - 1;
          Sql sql =
              Sql.of("SELECT ")
                  .name(fresh.schema(), fresh.name())
                  .words("(")
                  .add(Sql.join(", ", Collections.nCopies(parameters, Sql.of("NULL"))))
                  .words(") FROM DUAL WHERE FALSE");
          Session session = run.session();
          ShardQueries queries = path.queries();
          SideBranch side =
              SideBranch.open(queries, queries.links().any(), session.variables().ofCopies());
          try (side;
              ShardCall call = side.start("", sql)) {
            ColumnDefinition column = call.columns().getFirst();
            call.status();
            return column;
          }
        });
  }

  @Override
  public List<Variable> variables(StoredFunction function) {
    Routine routine = procedures.routine(function.interpreted().orElseThrow());
    return routine.variables().subList(0, routine.parameters().size());
  }

  @Override
  public String value(
      StatementRun run,
      StoredFunction function,
      List<ColumnDefinition> columns,
      byte[] row,
      int first) {
    Invocation invocation = new Invocation(procedures, path, run.with(new NoRows(run)));
    List<LocalValue> arguments = KeptResult.values(columns, row);
    return beside(
        run.session(),
        () ->
            value(invocation, function, arguments.subList(first, arguments.size()))
                .sql(run.session().variables().lexicalMode()));
  }
}
