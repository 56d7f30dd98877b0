package io.alrai.cn.admin;

import io.alrai.cn.session.OwnVariables;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.AnalyticSettings;
import io.alrai.cn.settings.CnVariables;
import io.alrai.cn.settings.CompletionType;
import io.alrai.cn.settings.Diagnostics;
import io.alrai.cn.settings.Idleness;
import io.alrai.cn.settings.SecureTransport;
import io.alrai.cn.settings.VariableValue;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.system.CnParts;
import io.alrai.cn.variable.KnownVariable;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.sql.VariableName;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.AdminStatement.Assignment;
import io.alrai.optimizer.api.AdminStatement.VariableScope;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.token.FunctionCalls;
import io.alrai.optimizer.api.token.TokenCursor;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** SET in all its forms. A mysqld checks what the CN does not own. */
final class VariableStatements {
  /**
   * What reads tables or has effects: an expression with it is evaluated as a query. That does no
   * harm where it is only part of a string.
   */
  private static final Pattern QUERY =
      Pattern.compile(
          "\\b(SELECT|TABLE|VALUES|GET_LOCK|RELEASE_LOCK|RELEASE_ALL_LOCKS|IS_FREE_LOCK|IS_USED_LOCK)\\b"
              + "|@@\\s*GLOBAL\\b|:=|\\bLAST_INSERT_ID\\s*\\(\\s*[^\\s)]",
          Pattern.CASE_INSENSITIVE);

  /** Where MySQL expects a value, a bare word is one. */
  private static final Pattern WORD = Pattern.compile("[A-Za-z_]+");

  private final CnParts parts;
  private final Assignments assignments;
  private final VariableProbe probe;
  private final GlobalSettings globals;
  private final VariableRules rules;

  VariableStatements(CnParts parts, Assignments assignments) {
    this.parts = parts;
    this.assignments = assignments;
    this.probe = new VariableProbe(parts.queries(), parts.facts().collations());
    this.globals = new GlobalSettings(parts.queries(), parts.gms(), probe);
    this.rules = new VariableRules(parts.queries(), parts.gms());
  }

  /**
   * SET a = b, ...: the session changes only when all are right.
   *
   * @return the warnings of those that a mysqld was asked about
   */
  Diagnostics set(StatementRun run, AdminStatement.SetVariables statement) {
    Session session = run.session();
    VariableChange change = new VariableChange(session);
    long lastInsertId = session.last().lastInsertId();
    for (Assignment assignment : statement.assignments()) {
      try {
        assign(run, assignment, change);
      } catch (AlraiException e) {
        session.last().lastInsertId(lastInsertId);
        throw UnknownFunctions.ofClient(e, CnAdmin.text(run, assignment.value()), run.session());
      }
    }
    change.apply(run, globals);
    return Diagnostics.ofWarnings(change.warnings);
  }

  private void assign(StatementRun run, Assignment assignment, VariableChange change) {
    String written = CnAdmin.text(run, assignment.value());
    boolean query = QUERY.matcher(written).find() || callsFunction(run.session(), written);
    switch (assignment) {
      case Assignment.OfUser user ->
          change.userVariables.put(
              user.name(),
              query ? evaluate(run, written, change) : probe.evaluate(change.backend(), written));
      case Assignment.OfSystem system ->
          assign(run, system, query ? evaluate(run, written, change) : written, change);
    }
  }

  private String evaluate(StatementRun run, String written, VariableChange change) {
    Diagnostics before = run.session().last().diagnostics();
    String literal = assignments.evaluate(run, written);
    Diagnostics told = run.session().last().diagnostics();
    if (told != before) {
      change.warnings.addAll(told.conditions());
    }
    return literal;
  }

  private void assign(
      StatementRun run, Assignment.OfSystem assignment, String expression, VariableChange change) {
    VariableName variable = rules.today(assignment.name());
    boolean global =
        assignment.scope() == VariableScope.GLOBAL || assignment.scope() == VariableScope.PERSIST;
    if (VariableRules.isOfAlrai(variable)) {
      if (global) {
        rules.requireAdmin(run.session());
        ofAlrai(variable.text(), assignment.scope(), expression, change);
      } else {
        VariableRules.refuseGlobal(variable.text());
        own(variable.text(), expression, change);
      }
      return;
    }
    KnownVariable known = rules.known(variable);
    if (global) {
      known.requireGlobal();
      if (assignment.scope() == VariableScope.PERSIST) {
        known.requirePersistent();
      }
      rules.requireAdmin(run.session());
      global(known, variable, assignment.scope(), expression, change);
      return;
    }
    known.requireOfSession();
    rules.requireAsked(run.session(), known);
    known.requireOutside(run.session().transaction().open());
    session(known, assignment.scope(), expression, change);
  }

  private void session(
      KnownVariable known, VariableScope scope, String written, VariableChange change) {
    String name = known.name().text();
    Optional<String> byDefault = change.session.cnSettings().globals().literal(name);
    String expression = isDefault(written) ? byDefault.orElse(written) : written;
    switch (known.session()) {
      case CN -> ofCn(name, scope, expression, change);
      case BACKEND -> keep(change, name, expression);
      case KEPT ->
          change.kept.put(name, isDefault(expression) ? "" : literal(change, name, expression));
      case FIXED -> {
        if (!isDefault(expression)) {
          rules.requireSame(known, "SESSION", own(change, expression, ""));
        }
      }
      case LOG -> {
        String value = own(change, expression, LogVariables.standard(name));
        change.warnings.add(LogVariables.set(name, value));
      }
      case AT_CONNECT, GLOBAL_ONLY, READ_ONLY -> known.requireOfSession();
    }
  }

  /** Stored functions are called as statements call them. */
  private boolean callsFunction(Session session, String expression) {
    LexicalMode mode = session.variables().lexicalMode();
    Planner.Context context =
        new Planner.Context(
            parts.gms().catalog(), session.schema(), mode.ansiQuotes(), mode.noBackslashEscapes());
    TokenCursor tokens = new TokenCursor(expression, mode.ansiQuotes(), mode.noBackslashEscapes());
    return !FunctionCalls.in(tokens, context).isEmpty()
        || !FunctionCalls.ofServer(tokens).isEmpty();
  }

  private void ofCn(String name, VariableScope scope, String expression, VariableChange change) {
    switch (name) {
      case "autocommit" -> change.autocommit = Optional.of(truth(change, name, expression));
      case CompletionType.NAME ->
          change.completion =
              Optional.of(
                  isDefault(expression)
                      ? CompletionType.initial(change.session.cnSettings().globals())
                      : CompletionType.ofLiteral(literal(change, name, expression)));
      case "transaction_read_only" -> {
        if (scope == VariableScope.NEXT) {
          requireNoTransaction(change.session);
          change.nextReadOnly = Optional.of(truth(change, name, expression));
        } else {
          change.readOnly = Optional.of(truth(change, name, expression));
        }
      }
      case "transaction_isolation" -> {
        if (scope == VariableScope.NEXT) {
          requireNoTransaction(change.session);
          String literal = literal(change, name, expression);
          change.nextIsolation = Optional.of(literal.replace("'", "").replace('-', ' '));
        } else {
          keep(change, name, expression);
        }
      }
      case Idleness.WAIT_TIMEOUT, Idleness.INTERACTIVE_TIMEOUT ->
          change.idleness.put(name, Long.parseLong(literal(change, name, expression)));
      case "last_insert_id", "identity" ->
          change.lastInsertId =
              Optional.of(Long.parseUnsignedLong(literal(change, "last_insert_id", expression)));
      case CnVariables.INSERT_ID ->
          change.insertId = Optional.of(Long.parseUnsignedLong(literal(change, name, expression)));
      case CnVariables.RAND_SEED1, CnVariables.RAND_SEED2 -> {
        literal(change, name, expression);
        long seed = VariableValue.of(probe.evaluate(change.backend(), expression)).wholeNumber();
        change.seeds.put(name, seed);
      }
      default -> throw new IllegalStateException("the CN does not have " + name);
    }
  }

  private static void requireNoTransaction(Session session) {
    if (session.transaction().open()) {
      throw new AlraiException(
          ErrorCode.ER_CANT_CHANGE_TX_CHARACTERISTICS,
          "Transaction characteristics can't be changed while a transaction is in progress");
    }
  }

  private void own(String name, String expression, VariableChange change) {
    switch (name) {
      case OwnVariables.READ_CONSISTENCY ->
          change.eventual = Optional.of(OwnVariables.isEventual(own(change, expression, "strong")));
      case OwnVariables.WORKLOAD_TYPE -> {
        String value = own(change, expression, "AUTO");
        OwnVariables.workload(value);
        change.workload = Optional.of(value);
      }
      case OwnVariables.CONFLICTS -> {
        String byDefault = change.session.cnSettings().conflicts() ? "ON" : "OFF";
        change.conflicts = Optional.of(OwnVariables.isOn(name, own(change, expression, byDefault)));
      }
      case OwnVariables.SESSION_STAMP ->
          change.stamp = Optional.of(OwnVariables.stamp(own(change, expression, "0")));
      default -> throw new IllegalStateException("Alrai does not have " + name);
    }
  }

  /** The value of a variable that no mysqld knows. */
  private String own(VariableChange change, String expression, String byDefault) {
    String written = expression.strip();
    if (isDefault(written)) {
      return byDefault;
    }
    return WORD.matcher(written).matches()
        ? written
        : VariableValue.of(probe.evaluate(change.backend(), written)).text();
  }

  private boolean truth(VariableChange change, String name, String expression) {
    return !literal(change, name, expression).equals("0");
  }

  private String literal(VariableChange change, String name, String expression) {
    VariableProbe.Answer answer =
        probe.set(
            change.settings,
            change.session.variables().ofUser(),
            VariableName.of(name),
            expression);
    change.warnings.addAll(answer.warnings());
    return answer.literal();
  }

  private static boolean isDefault(String expression) {
    return expression.strip().equalsIgnoreCase("DEFAULT");
  }

  private void keep(VariableChange change, String name, String expression) {
    String literal = isDefault(expression) ? "" : literal(change, name, expression);
    Map<String, String> changes = new HashMap<>();
    changes.put(name, literal);
    switch (name) {
      case "character_set_connection" ->
          parts
              .facts()
              .collations()
              .defaultOf(literal.replace("'", ""))
              .ifPresent(found -> changes.put("collation_connection", "'" + found.name() + "'"));
      case "collation_connection" ->
          parts
              .facts()
              .collations()
              .ofName(literal.replace("'", ""))
              .ifPresent(
                  found -> changes.put("character_set_connection", "'" + found.charset() + "'"));
      default -> {
        // stands alone
      }
    }
    change.settings = parts.settings().with(change.settings, changes);
  }

  /** A global variable that no mysqld knows, or not so. */
  private void ofAlrai(String name, VariableScope scope, String expression, VariableChange change) {
    boolean analytic = AnalyticSettings.isOne(name);
    if (!analytic && !OwnVariables.isGlobalSwitch(name)) {
      throw VariableRules.sessionOnly(name);
    }
    if (scope == VariableScope.PERSIST) {
      throw AlraiException.unsupported(
          "'SET PERSIST "
              + name
              + (name.equals(SecureTransport.REQUIRED) ? "': start with --tls required" : "'"));
    }
    if (analytic) {
      String byDefault = AnalyticSettings.standard().texts().getOrDefault(name, "");
      AnalyticSettings before = change.analytic.orElseGet(change.session.cnSettings()::analytic);
      change.analytic = Optional.of(before.with(name, own(change, expression, byDefault)));
      return;
    }
    String byDefault = name.equals(OwnVariables.ROW_CACHE) ? "ON" : "OFF";
    Optional<Boolean> on = Optional.of(OwnVariables.isOn(name, own(change, expression, byDefault)));
    switch (name) {
      case SecureTransport.REQUIRED -> change.secureTransport = on;
      case OwnVariables.ROW_CACHE -> change.rowCache = on;
      default -> change.globalConflicts = on;
    }
  }

  private void global(
      KnownVariable known,
      VariableName written,
      VariableScope scope,
      String expression,
      VariableChange change) {
    String name = known.name().text();
    switch (known.global()) {
      case CN -> {
        if (name.equals(SecureTransport.REQUIRED)) {
          ofAlrai(name, scope, expression, change);
        } else {
          change.globals.put(
              name,
              isDefault(expression)
                  ? ""
                  : globals.connections(change.backend(), expression, change.warnings));
        }
      }
      case KEPT -> {
        String literal = literal(change, name, expression);
        change.globals.put(name, isDefault(expression) ? "" : literal);
      }
      case SERVERS -> {
        // as a value, which reads the same whatever sql_mode and character set the client has
        String value =
            isDefault(expression) ? expression : probe.evaluate(change.backend(), expression);
        GlobalSettings.requireRoom(name, value);
        globals.tell(written, scope == VariableScope.PERSIST ? "PERSIST" : "GLOBAL", value);
        if (name.equals(GlobalSettings.CONNECT_TIMEOUT)) {
          parts.settings().connectTimeoutSeconds(globals.connectTimeoutSeconds());
        }
      }
      case FIXED -> {
        if (!isDefault(expression)) {
          rules.requireSame(known, "GLOBAL", own(change, expression, ""));
        }
      }
      case REFUSED -> {
        GlobalSettings.refuseTls(name);
        throw known.refused();
      }
      case LOG -> change.warnings.add(LogVariables.set(name, ""));
      case SESSION_CHECKED -> throw known.sessionOnly();
      case SESSION_ONLY, READ_ONLY -> known.requireGlobal();
    }
  }

  /** SET [SESSION | GLOBAL] TRANSACTION. */
  void setTransaction(StatementRun run, AdminStatement.SetTransaction set) {
    Session session = run.session();
    switch (set.scope()) {
      case NEXT -> {
        requireNoTransaction(session);
        set.isolation()
            .ifPresent(level -> session.defaults().next().isolation(level.replace('-', ' ')));
        set.readOnly().ifPresent(session.defaults().next()::readOnly);
      }
      case GLOBAL, PERSIST -> {
        rules.requireAdmin(session);
        Map<String, String> kept = new HashMap<>();
        set.isolation()
            .ifPresent(
                level -> kept.put("transaction_isolation", "'" + level.replace(' ', '-') + "'"));
        set.readOnly()
            .ifPresent(readOnly -> kept.put("transaction_read_only", readOnly ? "1" : "0"));
        globals.keep(kept);
      }
      case SESSION -> {
        set.isolation()
            .ifPresent(level ->
                session
                    .variables()
                    .settings(
                        parts
                            .settings()
                            .with(
                                session.variables().settings(),
                                "transaction_isolation",
                                "'" + level.replace(' ', '-') + "'")));
        set.readOnly().ifPresent(session.defaults()::readOnly);
      }
    }
  }
}
