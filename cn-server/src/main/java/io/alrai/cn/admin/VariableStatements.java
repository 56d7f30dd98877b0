package io.alrai.cn.admin;

import io.alrai.cn.execute.StatementRun;
import io.alrai.cn.privilege.PrivilegeCheck;
import io.alrai.cn.session.AnalyticSettings;
import io.alrai.cn.session.CompletionType;
import io.alrai.cn.session.Diagnostics;
import io.alrai.cn.session.Diagnostics.Condition;
import io.alrai.cn.session.GlobalVariables;
import io.alrai.cn.session.Idleness;
import io.alrai.cn.session.OwnVariables;
import io.alrai.cn.session.SecureTransport;
import io.alrai.cn.session.Session;
import io.alrai.cn.session.SessionCharset;
import io.alrai.cn.session.SessionSettings;
import io.alrai.cn.session.VariableValue;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.VariableName;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.type.Collations.Collation;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.DynamicPrivilege;
import io.alrai.gms.api.Privilege;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.AdminStatement.Assignment;
import io.alrai.optimizer.api.AdminStatement.VariableScope;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.parse.FunctionCalls;
import io.alrai.optimizer.parse.LexicalMode;
import io.alrai.optimizer.parse.TokenCursor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** SET in all its forms. A mysqld checks what the CN does not own. */
final class VariableStatements {
  /** What would take the ground from under Alrai. */
  private static final Set<String> FORBIDDEN =
      Set.of(
          "init_connect",
          "max_user_connections",
          "offline_mode",
          "gtid_next",
          "gtid_mode",
          "server_id",
          "read_only",
          "super_read_only",
          "xa_detach_on_prepare",
          "binlog_format",
          "binlog_checksum",
          "binlog_order_commits",
          "binlog_row_image",
          "binlog_row_metadata",
          "binlog_row_value_options",
          "binlog_transaction_compression",
          "rpl_semi_sync_source_enabled",
          "rpl_semi_sync_source_timeout",
          "rpl_semi_sync_source_wait_for_replica_count",
          "rpl_semi_sync_source_wait_no_replica",
          "rpl_semi_sync_source_wait_point",
          "rpl_semi_sync_replica_enabled",
          "session_track_gtids",
          "protocol_compression_algorithms");

  /** Also within strings: then the expression is evaluated as a query. */
  private static final Pattern QUERY =
      Pattern.compile(
          "\\b(SELECT|TABLE|VALUES|GET_LOCK|RELEASE_LOCK|RELEASE_ALL_LOCKS|IS_FREE_LOCK|IS_USED_LOCK)\\b"
              + "|@@\\s*GLOBAL\\b",
          Pattern.CASE_INSENSITIVE);

  /** Where MySQL expects a value, a bare word is one. */
  private static final Pattern WORD = Pattern.compile("[A-Za-z_]+");

  private final CnParts parts;
  private final Assignments assignments;
  private final VariableProbe probe;
  private final GlobalSettings globals;

  VariableStatements(CnParts parts, Assignments assignments) {
    this.parts = parts;
    this.assignments = assignments;
    this.probe = new VariableProbe(parts.queries(), parts.facts().collations());
    this.globals = new GlobalSettings(parts.queries(), parts.gms(), probe);
  }

  /**
   * SET a = b, ...: the session changes only when all are right.
   *
   * @return the warnings of those that a mysqld was asked about
   */
  Diagnostics set(StatementRun run, AdminStatement.SetVariables statement) {
    Session session = run.session();
    Change change = new Change(session);
    for (Assignment assignment : statement.assignments()) {
      try {
        assign(run, assignment, change);
      } catch (AlraiException e) {
        throw UnknownFunctions.ofClient(e, CnAdmin.text(run, assignment.value()), run.session());
      }
    }
    change.apply(run, globals);
    return Diagnostics.ofWarnings(change.warnings);
  }

  /** What a SET changes, until all of it is known to be right. */
  private static final class Change {
    private final Session session;
    private SessionSettings settings;
    private final Map<String, String> userVariables = new HashMap<>();
    private final List<Condition> warnings = new ArrayList<>();
    private Optional<Boolean> autocommit = Optional.empty();
    private Optional<Boolean> readOnly = Optional.empty();
    private Optional<Long> lastInsertId = Optional.empty();
    private Optional<Boolean> eventual = Optional.empty();
    private Optional<Boolean> conflicts = Optional.empty();
    private Optional<Boolean> globalConflicts = Optional.empty();
    private Optional<Boolean> rowCache = Optional.empty();
    private final Map<String, String> globals = new LinkedHashMap<>();
    private final Map<String, Long> idleness = new HashMap<>();
    private Optional<Boolean> secureTransport = Optional.empty();
    private Optional<AnalyticSettings> analytic = Optional.empty();
    private Optional<HlcTimestamp> stamp = Optional.empty();
    private Optional<String> workload = Optional.empty();
    private Optional<CompletionType> completion = Optional.empty();

    Change(Session session) {
      this.session = session;
      this.settings = session.settings();
    }

    /** With the values that user variables had before. */
    SessionSettings backend() {
      return settings.withUserVariables(session.userVariables());
    }

    void apply(StatementRun run, GlobalSettings keeper) {
      keeper.keep(globals);
      secureTransport.ifPresent(session.transport()::required);
      stamp.ifPresent(run.shards()::saw);
      if (autocommit.isPresent() && autocommit.get() && !session.autocommit()) {
        run.shards().onLoop(session.transaction()::commit);
      }
      session.settings(settings);
      session.assign(userVariables);
      autocommit.ifPresent(session::autocommit);
      readOnly.ifPresent(session::readOnly);
      idleness.forEach(session.idleness()::bound);
      lastInsertId.ifPresent(session::lastInsertId);
      eventual.ifPresent(session.reads()::eventual);
      conflicts.ifPresent(session.reads()::conflicts);
      globalConflicts.ifPresent(session.cnSettings()::conflicts);
      rowCache.ifPresent(session.cnSettings()::rowCache);
      analytic.ifPresent(session::analytic);
      workload.ifPresent(value -> session.own().workload(OwnVariables.workload(value)));
      completion.ifPresent(session.own()::completion);
      session.lexicalMode(SessionCharset.lexicalMode(settings));
    }
  }

  private void assign(StatementRun run, Assignment assignment, Change change) {
    String written = CnAdmin.text(run, assignment.value());
    boolean query = QUERY.matcher(written).find() || callsFunction(run.session(), written);
    switch (assignment) {
      case Assignment.OfUser user ->
          change.userVariables.put(
              user.name(),
              query
                  ? assignments.evaluate(run, written)
                  : probe.evaluate(change.backend(), written));
      case Assignment.OfSystem system ->
          assign(run, system, query ? assignments.evaluate(run, written) : written, change);
    }
  }

  private void assign(
      StatementRun run, Assignment.OfSystem assignment, String expression, Change change) {
    VariableName variable = assignment.name();
    String name = variable.text();
    if (LogVariables.isOne(name)) {
      change.warnings.add(
          LogVariables.set(run.session(), parts.gms().catalog(), assignment.scope(), name));
      if (name.equals(LogVariables.SQL_LOG_BIN)) {
        LogVariables.requireSwitch(name, own(change, expression, "ON"));
      }
      return;
    }
    if (FORBIDDEN.contains(name)) {
      throw new AlraiException(
          ErrorCode.ER_NOT_SUPPORTED_YET,
          "This version of Alrai doesn't yet support 'SET "
              + name
              + "': Alrai depends on its value on every DN");
    }
    if (assignment.scope() == VariableScope.GLOBAL || assignment.scope() == VariableScope.PERSIST) {
      requireGlobal(run.session(), variable);
      global(assignment, expression, change);
      return;
    }
    refuseGlobal(name);
    assign(
        variable,
        assignment.scope(),
        isDefault(expression)
            ? change.session.globals().literal(name).orElse(expression)
            : expression,
        change);
  }

  /** Stored functions are called as statements call them. */
  private boolean callsFunction(Session session, String expression) {
    LexicalMode mode = session.lexicalMode();
    Planner.Context context =
        new Planner.Context(
            parts.gms().catalog(), session.schema(), mode.ansiQuotes(), mode.noBackslashEscapes());
    TokenCursor tokens = new TokenCursor(expression, mode.ansiQuotes(), mode.noBackslashEscapes());
    return !FunctionCalls.in(tokens, context).isEmpty()
        || !FunctionCalls.ofServer(tokens).isEmpty();
  }

  private void assign(
      VariableName variable, VariableScope scope, String expression, Change change) {
    String name = variable.text();
    switch (name) {
      case "autocommit" -> change.autocommit = Optional.of(truth(change, name, expression));
      case CompletionType.NAME ->
          change.completion =
              Optional.of(
                  isDefault(expression)
                      ? CompletionType.initial(change.session.globals())
                      : CompletionType.ofLiteral(literal(change, name, expression)));
      case "transaction_read_only", "tx_read_only" ->
          change.readOnly = Optional.of(truth(change, "transaction_read_only", expression));
      case "transaction_isolation", "tx_isolation" -> {
        if (scope == VariableScope.NEXT) {
          String literal = literal(change, "transaction_isolation", expression);
          change.session.nextIsolation(literal.replace("'", "").replace('-', ' '));
        } else {
          keep(change, "transaction_isolation", expression);
        }
      }
      case Idleness.WAIT_TIMEOUT, Idleness.INTERACTIVE_TIMEOUT ->
          change.idleness.put(name, Long.parseLong(literal(change, name, expression)));
      case "last_insert_id", "identity" ->
          change.lastInsertId =
              Optional.of(Long.parseUnsignedLong(literal(change, "last_insert_id", expression)));
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
      default -> keep(change, name, expression);
    }
  }

  /** Whether there is such a variable is told before who may set it, as by MySQL. */
  private void requireGlobal(Session session, VariableName variable) {
    String name = variable.text();
    Catalog catalog = parts.gms().catalog();
    if (session.access(catalog).everything()) {
      return;
    }
    boolean own = AnalyticSettings.isOne(name) || OwnVariables.isGlobalSwitch(name);
    if (!own) {
      parts.queries().query(parts.queries().links().any(), "", "SELECT @@GLOBAL." + variable);
    }
    PrivilegeCheck.require(
        session, catalog, Privilege.SUPER, DynamicPrivilege.SYSTEM_VARIABLES_ADMIN);
  }

  private static void refuseGlobal(String name) {
    if (AnalyticSettings.isOne(name) || name.equals(OwnVariables.ROW_CACHE)) {
      throw new AlraiException(
          ErrorCode.ER_GLOBAL_VARIABLE,
          "Variable '" + name + "' is a GLOBAL variable and should be set with SET GLOBAL");
    }
  }

  /** The value of a variable that no mysqld knows. */
  private String own(Change change, String expression, String byDefault) {
    String written = expression.strip();
    if (isDefault(written)) {
      return byDefault;
    }
    return WORD.matcher(written).matches()
        ? written
        : VariableValue.of(probe.evaluate(change.backend(), written)).text();
  }

  private boolean truth(Change change, String name, String expression) {
    return !literal(change, name, expression).equals("0");
  }

  private String literal(Change change, String name, String expression) {
    VariableProbe.Answer answer =
        probe.set(
            change.settings, change.session.userVariables(), VariableName.of(name), expression);
    change.warnings.addAll(answer.warnings());
    return answer.literal();
  }

  private static boolean isDefault(String expression) {
    return expression.strip().equalsIgnoreCase("DEFAULT");
  }

  private void keep(Change change, String name, String expression) {
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

  private void global(Assignment.OfSystem assignment, String expression, Change change) {
    VariableName variable = assignment.name();
    String name = variable.text();
    GlobalSettings.refuseTls(name);
    boolean analytic = AnalyticSettings.isOne(name);
    boolean transport = name.equals(SecureTransport.REQUIRED);
    if (analytic || OwnVariables.isGlobalSwitch(name)) {
      if (assignment.scope() == VariableScope.PERSIST) {
        throw new AlraiException(
            ErrorCode.ER_NOT_SUPPORTED_YET,
            "This version of Alrai doesn't yet support 'SET PERSIST "
                + name
                + (transport ? "': start with --tls required" : "'"));
      }
      if (analytic) {
        String byDefault = AnalyticSettings.standard().texts().getOrDefault(name, "");
        AnalyticSettings before = change.analytic.orElseGet(change.session::analytic);
        change.analytic = Optional.of(before.with(name, own(change, expression, byDefault)));
      } else {
        String byDefault = name.equals(OwnVariables.ROW_CACHE) ? "ON" : "OFF";
        Optional<Boolean> on =
            Optional.of(OwnVariables.isOn(name, own(change, expression, byDefault)));
        switch (name) {
          case SecureTransport.REQUIRED -> change.secureTransport = on;
          case OwnVariables.ROW_CACHE -> change.rowCache = on;
          default -> change.globalConflicts = on;
        }
      }
      return;
    }
    if (name.equals(GlobalVariables.MAX_CONNECTIONS)) {
      change.globals.put(
          name,
          isDefault(expression)
              ? ""
              : globals.connections(change.backend(), expression, change.warnings));
      return;
    }
    if (globals.isOfSessions(
        variable, () -> literal(change, name, isDefault(expression) ? expression : "DEFAULT"))) {
      String literal = literal(change, name, expression);
      change.globals.put(name, isDefault(expression) ? "" : literal);
      return;
    }
    String word = assignment.scope() == VariableScope.GLOBAL ? "GLOBAL" : "PERSIST";
    for (DnId dn : parts.queries().links().dns()) {
      parts.queries().update(dn, "", "SET " + word + " " + variable + "=" + expression);
    }
    if (name.equals("connect_timeout")) {
      String seconds = "SELECT @@GLOBAL.connect_timeout";
      DnId dn = parts.queries().links().any();
      parts
          .settings()
          .connectTimeoutSeconds(
              Integer.parseInt(
                  String.valueOf(parts.queries().query(dn, "", seconds).getFirst().getFirst())));
    }
  }

  /** SET NAMES. */
  void setNames(StatementRun run, AdminStatement.SetNames names) {
    SessionCharset.setNames(
        run.session(), parts.settings(), collation(names.charset(), names.collation()));
  }

  /** SET CHARACTER SET: client and results; the connection gets the schema's. */
  void setCharacterSet(StatementRun run, AdminStatement.SetCharacterSet names) {
    Session session = run.session();
    Collation client = collation(names.charset(), Optional.empty());
    Collation connection =
        parts
            .gms()
            .catalog()
            .schema(session.schema())
            .flatMap(schema -> parts.facts().collations().ofName(schema.collation()))
            .orElseGet(() -> collation("", Optional.empty()));
    SessionCharset.setNames(session, parts.settings(), connection);
    Map<String, String> changes = new HashMap<>();
    changes.put("character_set_client", "'" + client.charset() + "'");
    changes.put("character_set_results", "'" + client.charset() + "'");
    session.settings(parts.settings().with(session.settings(), changes));
    SessionCharset.readAs(session, client.charset());
  }

  private Collation collation(String charset, Optional<String> wanted) {
    String name = charset.isEmpty() ? "utf8mb4" : charset;
    Collation byDefault =
        parts
            .facts()
            .collations()
            .defaultOf(name)
            .orElseThrow(() ->
                new AlraiException(
                    ErrorCode.ER_UNKNOWN_CHARACTER_SET, "Unknown character set: '" + name + "'"));
    if (wanted.isEmpty()) {
      return byDefault;
    }
    Collation found =
        parts
            .facts()
            .collations()
            .ofName(wanted.get())
            .orElseThrow(() ->
                new AlraiException(
                    ErrorCode.ER_UNKNOWN_COLLATION, "Unknown collation: '" + wanted.get() + "'"));
    if (!found.charset().equals(byDefault.charset())) {
      throw new AlraiException(
          ErrorCode.ER_COLLATION_CHARSET_MISMATCH,
          "COLLATION '"
              + found.name()
              + "' is not valid for CHARACTER SET '"
              + byDefault.charset()
              + "'");
    }
    return found;
  }

  /** SET [SESSION | GLOBAL] TRANSACTION. */
  void setTransaction(StatementRun run, AdminStatement.SetTransaction set) {
    Session session = run.session();
    switch (set.scope()) {
      case NEXT -> {
        if (session.transaction().open()) {
          throw new AlraiException(
              ErrorCode.ER_CANT_CHANGE_TX_CHARACTERISTICS,
              "Transaction characteristics can't be changed while a transaction is in progress");
        }
        set.isolation().ifPresent(level -> session.nextIsolation(level.replace('-', ' ')));
        set.readOnly().ifPresent(session::nextReadOnly);
      }
      case GLOBAL, PERSIST -> {
        requireGlobal(session, VariableName.of("transaction_isolation"));
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
                session.settings(
                    parts
                        .settings()
                        .with(
                            session.settings(),
                            "transaction_isolation",
                            "'" + level.replace(' ', '-') + "'")));
        set.readOnly().ifPresent(session::readOnly);
      }
    }
  }
}
