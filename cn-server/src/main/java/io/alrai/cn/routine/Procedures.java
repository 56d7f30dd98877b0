package io.alrai.cn.routine;

import io.alrai.cn.branch.OwnWork;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.VariableLiteral;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.text.TemplateText;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.Capability;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.ServerStatus;
import io.alrai.executor.fragment.SlotValues.Kind;
import io.alrai.gms.api.Procedure;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.AdminStatement.CallArgument;
import io.alrai.optimizer.api.routine.Fragment;
import io.alrai.optimizer.api.routine.Routine;
import io.alrai.optimizer.api.routine.Routine.Parameter;
import io.alrai.optimizer.api.routine.RoutineParser;
import io.alrai.optimizer.api.text.Identifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** CALL, for one session. Called on the virtual thread that the session is lent to. */
public final class Procedures {
  private static final int MAX_KEPT = 100;
  private static final String DEFAULT_COLLATION = "utf8mb4_0900_ai_ci";

  private final SessionPath path;
  private final UsedTables used;
  private final Map<String, Integer> depths = new HashMap<>();
  private final Set<String> functions = new HashSet<>();
  private final Map<Procedure, Routine> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Procedure, Routine> eldest) {
          return size() > MAX_KEPT;
        }
      };

  /** Calls over this path. */
  public Procedures(SessionPath path) {
    this.path = path;
    this.used = new UsedTables(path);
  }

  /** What functions may not change. */
  UsedTables used() {
    return used;
  }

  /**
   * Runs a procedure to its end and answers the client.
   *
   * @throws AlraiException the procedure's error, or what is wrong with the CALL
   */
  public void call(StatementRun run, AdminStatement.Call call) {
    Invocation invocation = new Invocation(this, path, run);
    Procedure procedure = invocation.find(call.name().schema(), call.name().table());
    Routine routine = routine(procedure);
    List<CallArgument> arguments = call.arguments();
    Invocation.check(
        procedure, routine, arguments.stream().map(each -> isVariable(run, each)).toList());
    try (OwnWork.Registration _ = run.shards().ownWork().begin(invocation::kill)) {
      List<LocalValue> values = new ArrayList<>();
      for (int i = 0; i < arguments.size(); i++) {
        boolean given = routine.parameters().get(i).in();
        values.add(given ? value(invocation, arguments.get(i)) : LocalValue.NULL);
      }
      Frame done = invocation.run(procedure, routine, values);
      giveBack(invocation, routine, arguments, done);
    }
    Session session = run.session();
    long rows = Math.max(session.last().rowCount(), 0);
    session.last().rowCount(rows);
    int warnings = session.last().diagnostics().warningCount();
    run.writer().ok(new OkPacket(rows, 0, run.statusFlags(), warnings, ""));
  }

  /**
   * Runs SIGNAL, RESIGNAL or GET DIAGNOSTICS and answers the client.
   *
   * @throws AlraiException what it signals, or what is wrong with it
   */
  public void onConditions(StatementRun run, AdminStatement.OnConditions statement) {
    new ConditionStatements(run, new Invocation(this, path, run)).run(statement);
  }

  private static boolean isVariable(StatementRun run, CallArgument argument) {
    return !argument.variable().isEmpty() || isMarker(run, argument);
  }

  private static boolean isMarker(StatementRun run, CallArgument argument) {
    return argument.slot() >= 0
        && run.writer().binary()
        && run.statement().isParameter(argument.slot());
  }

  private static LocalValue value(Invocation invocation, CallArgument argument) {
    StatementRun run = invocation.call();
    Session session = run.session();
    if (!argument.variable().isEmpty()) {
      return LocalValue.ofUserVariable(
          session.variables().ofUser().getOrDefault(argument.variable(), VariableLiteral.NULL));
    }
    if (argument.slot() >= 0 && run.values().kind(argument.slot()) == Kind.NULL) {
      return LocalValue.NULL;
    }
    byte[] text = TemplateText.render(argument.value(), run.values(), "", session);
    return invocation
        .statements()
        .value(
            Fragment.of(new String(text, session.variables().lexicalMode().charset())), List.of());
  }

  /** Gives user variables their values, and a client that has prepared the CALL a row of them. */
  private void giveBack(
      Invocation invocation, Routine routine, List<CallArgument> arguments, Frame done) {
    StatementRun run = invocation.call();
    Session session = run.session();
    List<String> items = new ArrayList<>();
    for (int i = 0; i < arguments.size(); i++) {
      Parameter parameter = routine.parameters().get(i);
      if (!parameter.out()) {
        continue;
      }
      LocalValue value = done.value(i);
      if (!arguments.get(i).variable().isEmpty()) {
        session.variables().assign(Map.of(arguments.get(i).variable(), value.userVariable()));
      } else {
        String sql =
            value.isNull() ? "CAST(NULL AS CHAR)" : value.sql(session.variables().lexicalMode());
        items.add(sql + " AS " + Identifier.quote(parameter.name()));
      }
    }
    if (!items.isEmpty() && session.client().capabilities().has(Capability.PS_MULTI_RESULTS)) {
      long rows = session.last().rowCount();
      invocation
          .statements()
          .filled(
              Fragment.of("SELECT " + String.join(", ", items)),
              List.of(),
              new PassedResult(run, ServerStatus.PS_OUT_PARAMS, ""));
      session.last().rowCount(rows);
    }
  }

  /** The procedure, read. */
  Routine routine(Procedure procedure) {
    return known.computeIfAbsent(
        procedure,
        fresh -> {
          String sqlMode = fresh.settings().getOrDefault("sql_mode", "").toUpperCase(Locale.ROOT);
          return RoutineParser.parse(
              fresh.parameters(),
              fresh.body(),
              sqlMode.contains("ANSI"),
              sqlMode.contains("NO_BACKSLASH_ESCAPES"));
        });
  }

  /** The types of its variables. */
  List<DeclaredType> types(Procedure procedure, Routine routine) {
    String literal = procedure.settings().getOrDefault("collation_connection", "");
    String connection = literal.isEmpty() ? DEFAULT_COLLATION : literal.replace("'", "");
    return routine.variables().stream()
        .map(each ->
            DeclaredType.of(
                each.type(), procedure.schemaCollation(), connection, path.collations()))
        .toList();
  }

  /**
   * A procedure begins.
   *
   * @param limit how often it may be at work within itself
   * @throws AlraiException 1456 when it is so already
   */
  void enter(String qualified, String name, int limit) {
    int depth = depths.getOrDefault(qualified, 0);
    if (depth > limit) {
      throw new AlraiException(
          ErrorCode.ER_SP_RECURSION_LIMIT,
          "Recursive limit "
              + limit
              + " (as set by the max_sp_recursion_depth variable) was exceeded for routine "
              + name);
    }
    depths.put(qualified, depth + 1);
  }

  /** It ends. */
  void leave(String qualified) {
    depths.merge(qualified, -1, Integer::sum);
  }

  /**
   * A function begins.
   *
   * @throws AlraiException 1424 when it is at work already
   */
  void enterFunction(String qualified) {
    if (!functions.add(qualified)) {
      throw new AlraiException(
          ErrorCode.ER_SP_NO_RECURSION, "Recursive stored functions and triggers are not allowed.");
    }
  }

  /** Whether a function is at work: what runs is a part of the statement that called it. */
  public boolean inFunction() {
    return !functions.isEmpty();
  }

  /** It ends. */
  void leaveFunction(String qualified) {
    functions.remove(qualified);
  }
}
