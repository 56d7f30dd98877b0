package io.alrai.cn.admin;

import io.alrai.cn.session.Session;
import io.alrai.cn.settings.Diagnostics;
import io.alrai.cn.settings.SecureTransport;
import io.alrai.cn.slowlog.SlowLogSettings;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.system.CnParts;
import io.alrai.cn.variable.KnownVariable;
import io.alrai.common.error.AlraiException;
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
    WrittenValue value =
        new WrittenValue(probe, change, variable.text(), assignment.scope(), expression);
    boolean global =
        assignment.scope() == VariableScope.GLOBAL || assignment.scope() == VariableScope.PERSIST;
    if (VariableRules.isOfAlrai(variable)) {
      if (global) {
        rules.requireAdmin(run.session());
        VariableRules.requireGlobal(variable.text(), assignment.scope());
        CnAssignments.readGlobal(value);
      } else {
        VariableRules.refuseGlobal(variable.text());
        CnAssignments.readOfSession(value);
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
      global(known, variable, value.with(known.name().text(), expression));
      return;
    }
    known.requireOfSession();
    rules.requireAsked(run.session(), known);
    known.requireOutside(run.session().transaction().open());
    session(known, value);
  }

  private void session(KnownVariable known, WrittenValue written) {
    VariableChange change = written.change();
    String name = known.name().text();
    Optional<String> byDefault = change.session.cnSettings().globals().literal(name);
    WrittenValue value =
        written.with(
            name,
            written.isDefault() ? byDefault.orElse(written.expression()) : written.expression());
    switch (known.session()) {
      case CN -> CnAssignments.readOfSession(value);
      case BACKEND -> keep(value);
      case KEPT -> {
        String literal = value.literalOrDefault();
        change.effect(session -> session.own().kept(name, literal));
      }
      case FIXED -> {
        if (!value.isDefault()) {
          rules.requireSame(known, "SESSION", value.own(""));
        }
      }
      case LOG ->
          change.warnings.add(LogVariables.set(name, value.own(LogVariables.standard(name))));
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

  private void keep(WrittenValue value) {
    String literal = value.literalOrDefault();
    Map<String, String> changes = new HashMap<>();
    changes.put(value.name(), literal);
    switch (value.name()) {
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
    value.change().keep(changes);
  }

  private void global(KnownVariable known, VariableName written, WrittenValue value) {
    VariableChange change = value.change();
    String name = value.name();
    switch (known.global()) {
      case CN -> {
        if (name.equals(SecureTransport.REQUIRED)) {
          VariableRules.requireGlobal(name, value.scope());
          CnAssignments.readGlobal(value);
        } else if (SlowLogSettings.isOne(name)) {
          change.globals.put(
              name, value.isDefault() ? "" : SlowLogSettings.literal(name, value.own("")));
        } else {
          change.globals.put(
              name,
              value.isDefault()
                  ? ""
                  : globals.connections(
                      name, change.backend(), value.expression(), change.warnings));
        }
      }
      case KEPT -> {
        String literal = value.literal();
        change.globals.put(name, value.isDefault() ? "" : literal);
      }
      case SERVERS -> {
        // as a value, which reads the same whatever sql_mode and character set the client has
        String literal = value.isDefault() ? value.expression() : value.evaluated();
        GlobalSettings.requireRoom(name, literal);
        globals.tell(
            written, value.scope() == VariableScope.PERSIST ? "PERSIST" : "GLOBAL", literal);
        if (name.equals(GlobalSettings.CONNECT_TIMEOUT)) {
          parts.settings().connectTimeoutSeconds(globals.connectTimeoutSeconds());
        }
      }
      case FIXED -> {
        if (!value.isDefault()) {
          rules.requireSame(known, "GLOBAL", value.own(""));
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
        CnAssignments.requireNoTransaction(session);
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
