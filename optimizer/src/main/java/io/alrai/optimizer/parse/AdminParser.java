package io.alrai.optimizer.parse;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.FunctionCalls;
import io.alrai.optimizer.api.token.NamedLocks;
import io.alrai.optimizer.api.token.SystemTables;
import io.alrai.optimizer.api.token.TokenCursor;
import io.alrai.optimizer.api.token.VariableNames;
import io.alrai.optimizer.parse.ddl.AccountDdlParser;
import io.alrai.optimizer.parse.ddl.DdlCursor;
import io.alrai.optimizer.parse.ddl.DdlParser;
import io.alrai.optimizer.parse.ddl.DdlTokens;
import io.alrai.optimizer.parse.ddl.PrivilegeParser;
import io.alrai.optimizer.parse.ddl.RoleParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Statements that the CN runs by itself, from text to {@link AdminStatement}. DDL is {@link
 * DdlParser}'s, EXPLAIN of a statement is {@link ExplainText}'s. Pure.
 */
public final class AdminParser {
  /** First words of statements over data. */
  static final Set<String> DATA =
      Set.of("SELECT", "WITH", "TABLE", "VALUES", "INSERT", "REPLACE", "UPDATE", "DELETE");

  /** Of them, those that may be about the server's own tables. */
  private static final Set<String> QUERIES = Set.of("SELECT", "WITH", "TABLE");

  /** First words of statements that others parse. */
  private static final Set<String> NOT_HERE =
      Set.of("CREATE", "ALTER", "DROP", "TRUNCATE", "RENAME", "GRANT", "REVOKE");

  /** First words of MySQL's other statements. */
  private static final Set<String> REFUSED =
      Set.of(
          "CACHE",
          "CHANGE",
          "CLONE",
          "IMPORT",
          "INSTALL",
          "PURGE",
          "RESET",
          "RESTART",
          "SHUTDOWN",
          "STOP",
          "UNINSTALL");

  private final TokenCursor tokens;
  private final ShapedStatement statement;
  private final Planner.Context context;

  private AdminParser(TokenCursor tokens, ShapedStatement statement, Planner.Context context) {
    this.tokens = tokens;
    this.statement = statement;
    this.context = context;
  }

  /**
   * Parses a statement; empty for DDL, EXPLAIN, and what is over data, some forms of DO included.
   *
   * @throws AlraiException ER_PARSE_ERROR, ER_EMPTY_QUERY; ER_NOT_SUPPORTED_YET where it is refused
   */
  public static Optional<AdminStatement.Parsed> parse(
      ShapedStatement statement, Planner.Context context) {
    TokenCursor shape = cursor(statement.shape(), context);
    if (isOverData(shape)) {
      boolean query = shape.kind() == TokenKind.OPEN || QUERIES.contains(firstWord(shape));
      return query ? new SystemQuery(shape, context).parse() : Optional.empty();
    }
    String text = statement.text();
    // The marks of conditional comments are gone in the shape.
    TokenCursor tokens = cursor(text.contains("/*!") ? statement.shape() : text, context);
    return new AdminParser(tokens, statement, context).parse();
  }

  /** Whether it begins as statements over data do, whose shapes are short. */
  public static boolean isOverData(ShapedStatement statement, Planner.Context context) {
    return isOverData(cursor(statement.shape(), context));
  }

  private static boolean isOverData(TokenCursor shape) {
    return shape.kind() == TokenKind.OPEN
        || shape.kind() == TokenKind.WORD && DATA.contains(firstWord(shape));
  }

  /** Whether it begins as what {@link DdlParser} parses. */
  public static boolean isDefinition(TokenCursor tokens) {
    return tokens.kind() == TokenKind.WORD
        && NOT_HERE.contains(firstWord(tokens))
        && !MembersParser.sees(tokens)
        && !CclParser.sees(tokens);
  }

  private static String firstWord(TokenCursor tokens) {
    return tokens.token(0).text().toUpperCase(Locale.ROOT);
  }

  static TokenCursor cursor(String text, Planner.Context context) {
    return new TokenCursor(text, context.ansiQuotes(), context.noBackslashEscapes());
  }

  static AlraiException notSupported(String what, String instead) {
    return AlraiException.unsupported("'" + what + "'" + instead);
  }

  private Optional<AdminStatement.Parsed> parse() {
    if (tokens.atEnd()) {
      throw new AlraiException(ErrorCode.ER_EMPTY_QUERY, "Query was empty");
    }
    if (tokens.kind() != TokenKind.WORD) {
      throw tokens.syntaxError();
    }
    if (tokens.sees("DROP", "PREPARE")) {
      return Optional.of(deallocate());
    }
    if (MembersParser.sees(tokens)) {
      return Optional.of(new MembersParser(tokens).parse());
    }
    if (CclParser.sees(tokens)) {
      return Optional.of(new CclParser(tokens).parse());
    }
    String word = firstWord(tokens);
    if (NOT_HERE.contains(word)) {
      return Optional.empty();
    }
    if (REFUSED.contains(word)) {
      throw notSupported(word, "");
    }
    return switch (word) {
      case "SET" -> set();
      case "DO" -> evaluate();
      case "CALL" -> Optional.of(call());
      case "EXPLAIN", "DESCRIBE", "DESC" -> ExplainText.administrative(tokens);
      default -> Optional.of(other(word));
    };
  }

  private DdlCursor ddlCursor() {
    return new DdlCursor(
        statement.text(), new DdlTokens.Quotes(context.ansiQuotes(), context.noBackslashEscapes()));
  }

  private Optional<AdminStatement.Parsed> set() {
    if (tokens.sees("SET", "PASSWORD") || tokens.sees("SET", "DEFAULT", "ROLE")) {
      return Optional.empty();
    }
    return Optional.of(
        tokens.sees("SET", "ROLE")
            ? new RoleParser(ddlCursor()).setRole()
            : new SetParser(tokens).parse());
  }

  private AdminStatement.Parsed other(String word) {
    return switch (word) {
      case "BEGIN", "START", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE" ->
          new TransactionParser(tokens).parse();
      case "XA" -> new XaParser(tokens).parse();
      case "BINLOG" -> new BinlogParser(tokens).parse();
      case "USE" -> use();
      case "SHOW" -> show();
      case "HELP" -> new AdminStatement.FromShadow(tokens.template());
      case "KILL" -> kill();
      case "CANCEL" -> cancel();
      case "ANALYZE", "CHECK", "OPTIMIZE", "REPAIR" -> maintenance();
      case "CHECKSUM" -> checksum();
      case "LOCK", "UNLOCK" -> lock();
      case "FLUSH" -> flush();
      case "HANDLER" -> new AdminStatement.Handler(new HandlerParser(tokens, context).parse());
      case "LOAD" ->
          new LoadDataParser(
                  tokens, FunctionCalls.names(tokens, context), context.noBackslashEscapes())
              .parse();
      case "SIGNAL", "RESIGNAL", "GET" -> new AdminStatement.OnConditions(statement.text());
      case "PREPARE" -> prepare();
      case "EXECUTE" -> execute();
      case "DEALLOCATE" -> deallocate();
      default -> throw tokens.syntaxError();
    };
  }

  private AdminStatement.Parsed show() {
    if (tokens.sees("SHOW", "GRANTS")) {
      return PrivilegeParser.showGrants(ddlCursor());
    }
    return tokens.sees("SHOW", "CREATE", "USER")
        ? AccountDdlParser.showCreateUser(ddlCursor())
        : new ShowParser(tokens).parse();
  }

  private AdminStatement.Parsed use() {
    tokens.expect("USE");
    String schema = tokens.identifier();
    tokens.expectEnd();
    return new AdminStatement.Use(schema);
  }

  /** DO; not here with named locks, assignments and subqueries. */
  private Optional<AdminStatement.Parsed> evaluate() {
    TokenCursor shape = cursor(statement.shape(), context);
    if (shape.size() == 1) {
      tokens.moveTo(1);
      throw tokens.syntaxError();
    }
    if (assigns(shape)) {
      return Optional.empty();
    }
    boolean system = SystemTables.areAllOf(shape, context.currentSchema());
    return NamedLocks.called(shape) || (hasQuery(shape) && !system)
        ? Optional.empty()
        : Optional.of(new AdminStatement.FromShadow(shape.template()));
  }

  private static boolean hasQuery(TokenCursor shape) {
    for (int i = 1; i < shape.size(); i++) {
      String word = shape.token(i).text().toUpperCase(Locale.ROOT);
      if (shape.kindAt(i - 1) == TokenKind.OPEN && QUERIES.contains(word)) {
        return true;
      }
    }
    return false;
  }

  /** Whether an expression assigns a user variable, or what LAST_INSERT_ID() is. */
  private static boolean assigns(TokenCursor shape) {
    for (int i = 0; i < shape.size(); i++) {
      boolean id = shape.token(i).isWord("LAST_INSERT_ID") && i + 2 < shape.size();
      if (isAssignment(shape, i)
          || (id
              && shape.kindAt(i + 1) == TokenKind.OPEN
              && shape.kindAt(i + 2) != TokenKind.CLOSE)) {
        return true;
      }
    }
    return false;
  }

  static boolean isAssignment(TokenCursor shape, int at) {
    return shape.kindAt(at) == TokenKind.OPERATOR && shape.token(at).text().equals(":=");
  }

  private AdminStatement.Parsed kill() {
    tokens.expect("KILL");
    boolean query = tokens.take("QUERY");
    if (!query) {
      tokens.take("CONNECTION");
    }
    if (tokens.atEnd()) {
      throw tokens.syntaxError();
    }
    SqlTemplate id = tokens.template(tokens.position(), tokens.size());
    return new AdminStatement.Kill(query, id);
  }

  private AdminStatement.Parsed cancel() {
    tokens.expect("CANCEL");
    tokens.expect("DDL");
    List<Long> jobs = new ArrayList<>();
    if (!tokens.take("ALL")) {
      do {
        jobs.add(tokens.number());
      } while (tokens.take(TokenKind.COMMA));
    }
    tokens.expectEnd();
    return new AdminStatement.CancelDdl(jobs);
  }

  private AdminStatement.Parsed maintenance() {
    if (tokens.sees("CHECK", "COLUMNAR")) {
      return checkColumnIndex();
    }
    String verb = tokens.identifier().toUpperCase(Locale.ROOT);
    if (!tokens.take("NO_WRITE_TO_BINLOG")) {
      tokens.take("LOCAL");
    }
    List<TableName> tables = tables();
    String options = tokens.slice(tokens.position(), tokens.size());
    return new AdminStatement.TableMaintenance(verb, tables, options);
  }

  private AdminStatement.Parsed checksum() {
    tokens.expect("CHECKSUM");
    List<TableName> tables = tables();
    boolean quick = tokens.take("QUICK");
    if (!quick) {
      tokens.take("EXTENDED");
    }
    tokens.expectEnd();
    return new AdminStatement.ChecksumTables(tables, quick);
  }

  /** {@code TABLE name, ...}. */
  private List<TableName> tables() {
    if (!tokens.take("TABLES")) {
      tokens.expect("TABLE");
    }
    List<TableName> tables = new ArrayList<>();
    do {
      tables.add(tokens.tableName());
    } while (tokens.take(TokenKind.COMMA));
    return tables;
  }

  private AdminStatement.Parsed checkColumnIndex() {
    tokens.expect("CHECK");
    tokens.expect("COLUMNAR");
    tokens.expect("INDEX");
    String name = tokens.identifier();
    tokens.expect("ON");
    TableName table = tokens.tableName();
    tokens.expectEnd();
    return new AdminStatement.CheckColumnIndex(name, table);
  }

  private AdminStatement.Parsed lock() {
    String verb = tokens.identifier().toUpperCase(Locale.ROOT);
    if (tokens.take("INSTANCE")) {
      return lockInstance(verb.equals("LOCK"));
    }
    if (!tokens.take("TABLES")) {
      tokens.expect("TABLE");
    }
    if (verb.equals("UNLOCK")) {
      tokens.expectEnd();
      return new AdminStatement.UnlockTables();
    }
    List<AdminStatement.TableLock> locks = new ArrayList<>();
    do {
      locks.add(tableLock());
    } while (tokens.take(TokenKind.COMMA));
    tokens.expectEnd();
    return new AdminStatement.LockTables(locks);
  }

  private AdminStatement.TableLock tableLock() {
    TableName table = tokens.tableName();
    Optional<String> alias = Optional.empty();
    boolean named = tokens.take("AS");
    if (named || !(tokens.sees("READ") || tokens.sees("WRITE") || tokens.sees("LOW_PRIORITY"))) {
      alias = Optional.of(tokens.identifier());
    }
    if (tokens.take("READ")) {
      tokens.take("LOCAL");
      return new AdminStatement.TableLock(table, alias, false);
    }
    tokens.take("LOW_PRIORITY");
    tokens.expect("WRITE");
    return new AdminStatement.TableLock(table, alias, true);
  }

  private AdminStatement.Parsed lockInstance(boolean lock) {
    if (lock) {
      tokens.expect("FOR");
      tokens.expect("BACKUP");
    }
    tokens.expectEnd();
    return lock ? new AdminStatement.LockInstance() : new AdminStatement.UnlockInstance();
  }

  /** LOGS means all of them; there may be others in the list. */
  private boolean flushesSlowLog() {
    boolean slow = tokens.sees("LOGS");
    for (int i = tokens.position(); i < tokens.size(); i++) {
      slow |= tokens.seesAt(i, "SLOW", "LOGS");
    }
    return slow;
  }

  private AdminStatement.Parsed flush() {
    tokens.expect("FLUSH");
    if (!tokens.take("NO_WRITE_TO_BINLOG")) {
      tokens.take("LOCAL");
    }
    if (!tokens.take("TABLES") && !tokens.take("TABLE")) {
      return new AdminStatement.NoOperation(
          tokens.sees("PRIVILEGES")
              ? "FLUSH PRIVILEGES"
              : tokens.sees("USER_RESOURCES")
                  ? "FLUSH USER_RESOURCES"
                  : flushesSlowLog() ? "FLUSH SLOW LOGS" : "FLUSH");
    }
    List<TableName> tables = new ArrayList<>();
    if (!tokens.atEnd() && !tokens.sees("WITH") && !tokens.sees("FOR")) {
      do {
        tables.add(tokens.tableName());
      } while (tokens.take(TokenKind.COMMA));
    }
    if (!tables.isEmpty() && tokens.take("FOR")) {
      tokens.expect("EXPORT");
      tokens.expectEnd();
      throw notSupported(
          "FLUSH TABLES ... FOR EXPORT",
          ": the files of a table are spread over the DNs; read its rows under FLUSH TABLES ..."
              + " WITH READ LOCK");
    }
    if (tokens.take("WITH")) {
      tokens.expect("READ");
      tokens.expect("LOCK");
      tokens.expectEnd();
      return new AdminStatement.FlushWithReadLock(tables);
    }
    tokens.expectEnd();
    return new AdminStatement.FlushTables(tables);
  }

  /** From the shape, whose slots are the arguments' literals and parameters. */
  private AdminStatement.Parsed call() {
    requireArguments();
    TokenCursor shape = cursor(statement.shape(), context);
    shape.expect("CALL");
    TableName name = shape.tableName();
    List<AdminStatement.CallArgument> arguments = new ArrayList<>();
    if (shape.take(TokenKind.OPEN) && !shape.take(TokenKind.CLOSE)) {
      do {
        int from = shape.position();
        int to = shape.endOfItem(from);
        shape.moveTo(to);
        arguments.add(argument(shape, from, to));
      } while (shape.take(TokenKind.COMMA));
      shape.expect(TokenKind.CLOSE);
    }
    shape.expectEnd();
    return new AdminStatement.Call(name, arguments);
  }

  /** In the text as it was sent: a mistake comes before a procedure that is not there. */
  private void requireArguments() {
    tokens.expect("CALL");
    tokens.tableName();
    if (tokens.take(TokenKind.OPEN) && !tokens.take(TokenKind.CLOSE)) {
      do {
        int from = tokens.position();
        int to = tokens.endOfItem(from);
        tokens.requireExpression(from, to);
        tokens.moveTo(to);
      } while (tokens.take(TokenKind.COMMA));
      tokens.expect(TokenKind.CLOSE);
    }
    tokens.expectEnd();
  }

  private static AdminStatement.CallArgument argument(TokenCursor shape, int from, int to) {
    boolean alone = to == from + 1;
    int slot = alone && shape.kindAt(from) == TokenKind.PARAMETER ? shape.slot(from) : -1;
    String variable =
        alone && shape.kindAt(from) == TokenKind.USER_VARIABLE
            ? VariableNames.ofUserVariable(shape.token(from).text())
            : "";
    return new AdminStatement.CallArgument(shape.template(from, to), slot, variable);
  }

  private AdminStatement.Parsed prepare() {
    tokens.expect("PREPARE");
    String name = tokens.identifier();
    tokens.expect("FROM");
    int from = tokens.position();
    boolean variable = tokens.take(TokenKind.USER_VARIABLE);
    String source =
        variable ? VariableNames.ofUserVariable(tokens.token(from).text()) : tokens.string();
    tokens.expectEnd();
    return new AdminStatement.Prepare(name, source, variable);
  }

  private AdminStatement.Parsed execute() {
    tokens.expect("EXECUTE");
    String name = tokens.identifier();
    List<String> variables = new ArrayList<>();
    if (tokens.take("USING")) {
      do {
        int at = tokens.position();
        tokens.expect(TokenKind.USER_VARIABLE);
        variables.add(VariableNames.ofUserVariable(tokens.token(at).text()));
      } while (tokens.take(TokenKind.COMMA));
    }
    tokens.expectEnd();
    return new AdminStatement.Execute(name, variables);
  }

  private AdminStatement.Parsed deallocate() {
    if (!tokens.take("DROP")) {
      tokens.expect("DEALLOCATE");
    }
    tokens.expect("PREPARE");
    String name = tokens.identifier();
    tokens.expectEnd();
    return new AdminStatement.Deallocate(name);
  }
}
