package io.alrai.cn.routine;

import io.alrai.cn.privilege.PrivilegeCheck;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.ClientIdentity;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.settings.SettingsCharset;
import io.alrai.cn.statement.StatementRun;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Access;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.Procedure;
import io.alrai.gms.api.RoutineKind;
import io.alrai.optimizer.api.Need;
import io.alrai.optimizer.api.Needs;
import io.alrai.optimizer.api.routine.Routine;
import io.alrai.optimizer.api.routine.Routine.Parameter;
import io.alrai.optimizer.api.routine.Step;
import io.alrai.optimizer.api.text.LexicalMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** One CALL of a client with all the procedures that it calls. One virtual thread. */
final class Invocation {
  private static final String DEPTH = "max_sp_recursion_depth";
  private static final int STEPS_UNTIMED = 64;
  private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final Procedures procedures;
  private final SessionPath path;
  private final StatementRun call;
  private final DiagnosticsArea diagnostics;
  private final InnerStatements statements;
  private volatile boolean killed;
  private int steps;
  private long sliceStart = System.nanoTime();

  Invocation(Procedures procedures, SessionPath path, StatementRun call) {
    this.procedures = procedures;
    this.path = path;
    this.call = call;
    this.diagnostics = new DiagnosticsArea(call.session().last());
    this.statements = new InnerStatements(path, call, diagnostics, procedures.used());
  }

  StatementRun call() {
    return call;
  }

  SessionPath path() {
    return path;
  }

  DiagnosticsArea diagnostics() {
    return diagnostics;
  }

  InnerStatements statements() {
    return statements;
  }

  /** Whether a function is at work. */
  boolean inFunction() {
    return procedures.inFunction();
  }

  /** Ends it at its next step; any thread. */
  void kill() {
    killed = true;
  }

  /**
   * Called before each step. A loop that never waits would keep its processor, and a few of them
   * would stop the CN, so it gives way now and then: by sleeping, as threads that only yield to
   * each other keep out those that come from elsewhere.
   *
   * @throws AlraiException 1317 when it is to end
   */
  void requireAlive() {
    if (++steps % STEPS_UNTIMED == 0) {
      long now = System.nanoTime();
      if (now - sliceStart > SLICE_NANOS) {
        LockSupport.parkNanos(1);
        sliceStart = System.nanoTime();
      }
    }
    if (killed || Thread.currentThread().isInterrupted()) {
      throw AlraiException.interruption();
    }
  }

  /** The procedure that a name means. */
  Procedure find(Optional<String> schema, String name) {
    String found = schema.orElse(call.session().schema());
    if (found.isEmpty()) {
      throw new AlraiException(ErrorCode.ER_NO_DB_ERROR, "No database selected");
    }
    return path.catalog()
        .procedure(found, name)
        .orElseThrow(() ->
            new AlraiException(
                ErrorCode.ER_SP_DOES_NOT_EXIST,
                "PROCEDURE " + found + "." + name + " does not exist"));
  }

  /** As errors name it. */
  static String name(Procedure procedure) {
    return procedure.schema() + "." + procedure.name();
  }

  /** Checks the number of arguments, and that there are variables for what comes back. */
  static void check(Procedure procedure, Routine routine, List<Boolean> variables) {
    int expected = routine.parameters().size();
    if (expected != variables.size()) {
      throw new AlraiException(
          ErrorCode.ER_SP_WRONG_NO_OF_ARGS,
          "Incorrect number of arguments for PROCEDURE "
              + name(procedure)
              + "; expected "
              + expected
              + ", got "
              + variables.size());
    }
    for (int i = 0; i < expected; i++) {
      if (routine.parameters().get(i).out() && !variables.get(i)) {
        throw new AlraiException(
            ErrorCode.ER_SP_NOT_VAR_ARG,
            "OUT or INOUT argument "
                + (i + 1)
                + " for routine "
                + name(procedure)
                + " is not a variable or NEW pseudo-variable in BEFORE trigger");
      }
    }
  }

  /** CALL within a procedure. */
  void inner(Step.Call inner, Frame frame, Interpreter caller) {
    Procedure procedure = find(inner.name().schema(), inner.name().table());
    require(procedure);
    Routine routine = procedures.routine(procedure);
    check(
        procedure,
        routine,
        inner.arguments().stream().map(each -> each.target().isPresent()).toList());
    List<LocalValue> values = new ArrayList<>();
    for (int i = 0; i < inner.arguments().size(); i++) {
      Step.Call.Argument argument = inner.arguments().get(i);
      values.add(
          routine.parameters().get(i).in()
              ? statements.value(argument.value(), frame.values(argument.value()))
              : LocalValue.NULL);
    }
    Frame done = run(procedure, routine, values);
    for (int i = 0; i < values.size(); i++) {
      if (routine.parameters().get(i).out()) {
        caller.put(inner.arguments().get(i).target().orElseThrow(), done.value(i));
      }
    }
  }

  private void require(Procedure procedure) {
    Need need =
        new Need.OnRoutine(
            RoutineKind.PROCEDURE, procedure.schema(), procedure.name(), Privilege.EXECUTE);
    PrivilegeCheck.check(new Needs(List.of(need)), call.session(), path.catalog());
  }

  /**
   * Runs a function.
   *
   * @throws AlraiException its error, 1321 where it ends without RETURN, 1424 within itself
   */
  LocalValue function(Procedure program, Routine routine, List<LocalValue> arguments) {
    String name = name(program);
    List<LocalValue> values = new ArrayList<>(arguments);
    values.add(LocalValue.NULL);
    procedures.enterFunction(name);
    try {
      Frame frame = run(program, routine, values, RoutineKind.FUNCTION);
      return frame.value(arguments.size());
    } finally {
      procedures.leaveFunction(name);
    }
  }

  /**
   * Runs a procedure.
   *
   * @param values of its parameters; those of OUT do not count
   * @return its variables as they are in the end
   */
  Frame run(Procedure procedure, Routine routine, List<LocalValue> values) {
    procedures.enter(name(procedure), procedure.name(), limit());
    try {
      return run(procedure, routine, values, RoutineKind.PROCEDURE);
    } finally {
      procedures.leave(name(procedure));
    }
  }

  private Frame run(
      Procedure procedure, Routine routine, List<LocalValue> values, RoutineKind kind) {
    Surroundings before = Surroundings.of(call.session());
    try {
      surround(procedure);
      Frame frame = new Frame(routine, procedures.types(procedure, routine));
      Interpreter interpreter = new Interpreter(this, frame, name(procedure));
      List<Parameter> parameters = routine.parameters();
      for (int i = 0; i < parameters.size(); i++) {
        if (parameters.get(i).in()) {
          interpreter.assign(i, values.get(i));
        }
      }
      if (!interpreter.run() && kind == RoutineKind.FUNCTION) {
        throw new AlraiException(
            ErrorCode.ER_SP_NORETURNEND, "FUNCTION " + procedure.name() + " ended without RETURN");
      }
      return frame;
    } finally {
      before.restore(call.session(), path);
    }
  }

  private int limit() {
    String literal = call.session().variables().settings().literal(DEPTH);
    return literal.isEmpty() ? 0 : Integer.parseInt(literal);
  }

  /** What a procedure runs under, to be put back afterwards. */
  private record Surroundings(
      String schema,
      SessionSettings settings,
      LexicalMode mode,
      ClientIdentity identity,
      Access access) {
    static Surroundings of(Session session) {
      return new Surroundings(
          session.schema(),
          session.variables().settings(),
          session.variables().lexicalMode(),
          session.user().identity(),
          session.user().access());
    }

    void restore(Session session, SessionPath path) {
      session.schema(schema);
      if (session.user().identity() != identity) {
        session.user().actAs(identity);
        session.user().access(access);
      }
      change(session, path, kept(settings.literals()));
      session.variables().lexicalMode(mode);
    }
  }

  private static Map<String, String> kept(Map<String, String> literals) {
    Map<String, String> kept = new HashMap<>();
    Procedure.SETTINGS.forEach(name -> kept.put(name, literals.getOrDefault(name, "")));
    return kept;
  }

  private static void change(Session session, SessionPath path, Map<String, String> literals) {
    SessionSettings changed = path.settings().with(session.variables().settings(), literals);
    if (changed != session.variables().settings()) {
      session.variables().settings(changed);
    }
  }

  private void surround(Procedure procedure) {
    Session session = call.session();
    Catalog catalog = path.catalog();
    if (!procedure.ofInvoker()
        && !procedure.definer().equals(session.user().identity().account())) {
      session.user().actAs(definer(procedure, catalog));
      require(procedure);
    }
    session.schema(procedure.schema());
    change(session, path, kept(procedure.settings()));
    session.variables().lexicalMode(SettingsCharset.lexicalMode(session.variables().settings()));
  }

  /** The account in whose name it runs. */
  private ClientIdentity definer(Procedure procedure, Catalog catalog) {
    Account account = catalog.accounts().get(procedure.definer());
    if (account == null) {
      throw new AlraiException(
          ErrorCode.ER_NO_SUCH_USER, Account.unknownDefiner(procedure.definer()));
    }
    return new ClientIdentity(
        account.user(),
        account.host(),
        Access.ofLogin(account, catalog),
        call.session().user().login().withPassword());
  }
}
