package io.alrai.cn.text;

import io.alrai.cn.session.OwnVariables;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.AnalyticSettings;
import io.alrai.cn.settings.CnVariables;
import io.alrai.cn.settings.CompletionType;
import io.alrai.cn.settings.GlobalVariables;
import io.alrai.cn.settings.Idleness;
import io.alrai.cn.settings.ReplicaSettings;
import io.alrai.cn.settings.SecureTransport;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.slowlog.SlowLogSettings;
import io.alrai.cn.variable.KnownVariables;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.net.HostName;
import io.alrai.common.sql.Sql;
import io.alrai.common.sql.VariableName;
import io.alrai.dn.link.GroupLimit;
import io.alrai.executor.fragment.SlotValues;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.executor.fragment.SqlTemplate.Piece;
import io.alrai.executor.fragment.SqlTemplate.Scope;
import io.alrai.executor.fragment.SqlTemplate.SessionValue;
import io.alrai.optimizer.api.sql.WholeJson;
import io.alrai.optimizer.api.text.Identifier;
import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.util.Optional;

/** Fills the holes of a template for one execution. Any thread that holds the session. */
public final class TemplateText {
  private static final String NEVER_SET = "__alrai_never_set_";
  private static final String ALL_ROWS = "18446744073709551615";

  private TemplateText() {}

  /**
   * The text for one place, in the session's character set.
   *
   * @param physicalSchema the place's, or the scratch schema
   */
  public static byte[] render(
      SqlTemplate template, SlotValues values, String physicalSchema, Session session) {
    return render(template, values, physicalSchema, session, 256);
  }

  /**
   * Renders a template into bytes.
   *
   * @param expected about how many bytes it will have
   */
  static byte[] render(
      SqlTemplate template,
      SlotValues values,
      String physicalSchema,
      Session session,
      int expected) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(expected);
    Charset charset = session.variables().lexicalMode().charset();
    boolean plain = SessionText.lacksJsonTable(session.variables());
    for (Piece piece : template.pieces()) {
      switch (piece) {
        case Piece.Text text ->
            write(out, charset, plain ? WholeJson.withoutTypes(text.sql()) : text.sql());
        case Piece.Slot slot -> values.appendSql(slot.index(), out);
        case Piece.PlaceSchema place -> write(out, charset, Identifier.quote(physicalSchema));
        case Piece.Session value -> write(out, charset, sessionValue(value.value(), session));
        case Piece.Sum sum -> write(out, charset, rows(values, sum));
        case Piece.UserVariable variable ->
            write(out, charset, userVariable(variable.name(), session));
        case Piece.SystemVariable variable ->
            write(out, charset, systemVariable(variable, session));
      }
    }
    return out.toByteArray();
  }

  /** Offset and count together; beyond 64 bits as many as MySQL can count. */
  static String rows(SlotValues values, Piece.Sum sum) {
    if (!values.fitsLong(sum.first()) || !values.fitsLong(sum.second())) {
      return ALL_ROWS;
    }
    return Long.toUnsignedString(values.longValue(sum.first()) + values.longValue(sum.second()));
  }

  private static void write(ByteArrayOutputStream out, Charset charset, String text) {
    out.writeBytes(SessionText.encoded(charset, text));
  }

  /**
   * The branch has the session's variables. One that the session never set may be NULL there, which
   * has another type than a missing one: so it gets another name.
   */
  private static String userVariable(String name, Session session) {
    return SessionSettings.quotedUserVariable(
        session.variables().ofUser().containsKey(name)
            ? name
            : NEVER_SET
                + session.client().connectionId()
                + "_"
                + Integer.toHexString(name.hashCode()));
  }

  private static String systemVariable(Piece.SystemVariable variable, Session session) {
    switch (variable.name().text()) {
      case "version" -> {
        requireGlobal(variable);
        return quoted(session.client().serverVersion());
      }
      case "version_comment" -> {
        requireGlobal(variable);
        return quoted(OwnVariables.VERSION_COMMENT);
      }
      case "hostname" -> {
        requireGlobal(variable);
        return quoted(HostName.own());
      }
      case "server_id" -> {
        requireGlobal(variable);
        return nullable(unsigned(OwnVariables.SERVER_ID));
      }
      case "port" -> {
        requireGlobal(variable);
        return nullable(unsigned(session.client().port()));
      }
      default -> {
        // below
      }
    }
    Optional<String> own = ofCn(variable, session);
    if (own.isPresent()) {
      return own.get();
    }
    if (variable.scope() != Scope.GLOBAL) {
      Optional<String> ofSession = ofSession(variable.name().text(), session);
      if (ofSession.isPresent()) {
        return ofSession.get();
      }
    }
    return variable.scope() == Scope.NONE
        ? "@@" + quotedParts(variable.name())
        : "@@" + variable.scope() + "." + quotedParts(variable.name());
  }

  /** A part may be a reserved word. */
  private static String quotedParts(VariableName name) {
    return Identifier.quote(name.text()).replace(".", "`.`");
  }

  /** What the CN keeps of a session; the others the backend has, with the session's settings. */
  private static Optional<String> ofSession(String name, Session session) {
    return switch (name) {
      case OwnVariables.READ_CONSISTENCY ->
          Optional.of(quoted(OwnVariables.readConsistency(session)));
      case OwnVariables.WORKLOAD_TYPE -> Optional.of(quoted(OwnVariables.workloadType(session)));
      case OwnVariables.SESSION_STAMP -> Optional.of(unsigned(session.reads().stamp()));
      case "autocommit" -> Optional.of(nullable(session.defaults().autocommit() ? "1" : "0"));
      case "last_insert_id", "identity" ->
          Optional.of(nullable(unsigned(session.last().lastInsertId())));
      case "warning_count" ->
          Optional.of(nullable(unsigned(session.last().diagnostics().warningCount())));
      case "error_count" ->
          Optional.of(nullable(unsigned(session.last().diagnostics().errorCount())));
      case Idleness.WAIT_TIMEOUT, Idleness.INTERACTIVE_TIMEOUT ->
          Optional.of(nullable(unsigned(session.idleness().bound(name))));
      case "transaction_read_only", "tx_read_only" ->
          Optional.of(nullable(session.defaults().readOnly() ? "1" : "0"));
      default -> Optional.empty();
    };
  }

  /**
   * The value of a variable that the mysqlds do not know, or know with another value; empty for
   * others.
   */
  private static Optional<String> ofCn(Piece.SystemVariable variable, Session session) {
    String name = variable.name().text();
    Optional<String> kept = session.cnSettings().globals().literal(name);
    if (kept.isPresent() && variable.scope() == Scope.GLOBAL) {
      return kept.map(TemplateText::nullable);
    }
    if (KnownVariables.isHidden(name) && !CnVariables.seesServers(session.user().access())) {
      return Optional.of(nullable(quoted("")));
    }
    if (variable.scope() != Scope.GLOBAL && session.own().kept().containsKey(name)) {
      String literal = session.own().kept().get(name);
      boolean unsigned = CnVariables.isUnsigned(name) && !literal.isEmpty();
      return Optional.of(nullable(unsigned ? unsigned(Long.parseLong(literal)) : literal));
    }
    if (name.equals(CompletionType.NAME) && variable.scope() != Scope.GLOBAL) {
      return Optional.of(nullable(quoted(session.own().completion().name())));
    }
    if (name.equals(CnVariables.INSERT_ID) && variable.scope() != Scope.GLOBAL) {
      return Optional.of(nullable(unsigned(session.own().insertId())));
    }
    Optional<String> ofBoth = ofBothScopes(name, variable.scope() == Scope.GLOBAL, session);
    if (ofBoth.isPresent()) {
      return ofBoth;
    }
    if (name.equals(GlobalVariables.MAX_USER_CONNECTIONS) && variable.scope() != Scope.GLOBAL) {
      return Optional.of(nullable(unsigned(session.maxUserConnections())));
    }
    if (name.equals(GlobalVariables.MAX_CONNECTIONS)) {
      requireGlobal(variable);
      return Optional.of(nullable(unsigned(session.cnSettings().globals().maxConnections())));
    }
    if (name.equals(OwnVariables.STATEMENT_DIGESTS)) {
      requireGlobal(variable);
      return Optional.of(nullable(session.cnSettings().digests() ? "1" : "0"));
    }
    if (name.equals(OwnVariables.ROW_CACHE)) {
      requireGlobal(variable);
      return Optional.of(nullable(session.cnSettings().rowCache() ? "1" : "0"));
    }
    Optional<GroupLimit> limit = GroupLimit.named(name);
    if (limit.isPresent()) {
      requireGlobal(variable);
      return limit.map(session.cnSettings().globals()::limit).map(TemplateText::nullable);
    }
    if (AnalyticSettings.isOne(name)) {
      requireGlobal(variable);
      return Optional.of(nullable(Long.toString(session.cnSettings().analytic().number(name))));
    }
    return ofEndpoint(variable, session);
  }

  /** TLS and the file of the slow log. */
  private static Optional<String> ofEndpoint(Piece.SystemVariable variable, Session session) {
    String name = variable.name().text();
    if (name.equals(SlowLogSettings.FILE)) {
      requireGlobal(variable);
      return Optional.of(nullable(quoted(session.cnSettings().slowLogFile())));
    }
    if (name.equals(SecureTransport.REQUIRED)) {
      requireGlobal(variable);
      return Optional.of(nullable(session.cnSettings().transport().required() ? "1" : "0"));
    }
    return variable.scope() == Scope.SESSION
        ? Optional.empty()
        : Optional.ofNullable(session.cnSettings().transport().texts().get(name))
            .map(text -> text.isEmpty() ? "NULLIF('','')" : nullable(quoted(text)));
  }

  /** One of those that sessions have, and a CN as the default of sessions that begin. */
  private static Optional<String> ofBothScopes(String name, boolean global, Session session) {
    if (name.equals(OwnVariables.CONFLICTS)) {
      boolean on = global ? session.cnSettings().conflicts() : session.reads().conflicts();
      return Optional.of(nullable(on ? "1" : "0"));
    }
    if (name.equals(OwnVariables.STATEMENT_TIMEOUT)) {
      long millis =
          global ? session.cnSettings().statementMillis() : session.own().statementMillis();
      return Optional.of(nullable(unsigned(millis)));
    }
    if (!ReplicaSettings.isOne(name)) {
      return Optional.empty();
    }
    ReplicaSettings settings =
        global ? session.cnSettings().replicas() : session.reads().replicas().settings();
    return Optional.of(nullable(Integer.toString(settings.number(name))));
  }

  private static void requireGlobal(Piece.SystemVariable variable) {
    if (variable.scope() == Scope.SESSION) {
      throw new AlraiException(
          ErrorCode.ER_INCORRECT_GLOBAL_LOCAL_VAR,
          "Variable '" + variable.name() + "' is a GLOBAL variable");
    }
  }

  private static String sessionValue(SessionValue value, Session session) {
    return switch (value) {
      case LAST_INSERT_ID -> unsigned(session.last().lastInsertId());
      case CONNECTION_ID -> Integer.toString(session.client().connectionId());
      case DATABASE ->
          session.schema().isEmpty()
              ? "NULL"
              : "IF(TRUE," + quoted(session.schema()) + ",DATABASE())";
      case USER -> nullable(quoted(session.user().login().userAtHost()));
      case CURRENT_USER -> nullable(quoted(session.user().identity().account()));
      case CURRENT_ROLE -> "IF(TRUE," + quoted(session.user().currentRole()) + ",CURRENT_ROLE())";
      case ROW_COUNT -> "IF(TRUE," + session.last().rowCount() + ",ROW_COUNT())";
      case FOUND_ROWS -> "IF(TRUE," + session.last().foundRows() + ",FOUND_ROWS())";
      case VERSION -> quoted(session.client().serverVersion());
    };
  }

  private static String unsigned(long value) {
    return "CAST(" + Long.toUnsignedString(value) + " AS UNSIGNED)";
  }

  /** An expression of the same type that may be NULL, as those of system variables are in MySQL. */
  private static String nullable(String value) {
    return "NULLIF(" + value + ",NULL)";
  }

  private static String quoted(String text) {
    return Sql.EMPTY.literal(text).text();
  }
}
