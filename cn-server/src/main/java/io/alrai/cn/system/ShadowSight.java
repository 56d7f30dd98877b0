package io.alrai.cn.system;

import io.alrai.cn.digest.ClusterDigests;
import io.alrai.cn.digest.DigestTables;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.gms.api.Access;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.RoutineKind;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.TokenCursor;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a session sees of the shadow schemas: the account that asks the mysqlds sees all of them, so
 * rows of what the session's account may not see are left out. Queries over information_schema get
 * subqueries in place of such tables; of SHOW the rows are looked at, and texts left out. The
 * tables that only Alrai can fill are put in for everybody, and so is what only partitions know of
 * a table, which blocks; all else is pure.
 */
public record ShadowSight(
    String sql,
    Predicate<byte[]> row,
    UnaryOperator<byte[]> shown,
    UnaryOperator<List<ColumnDefinition>> columns,
    List<Condition> warnings) {
  /** Without warnings. */
  public ShadowSight(
      String sql,
      Predicate<byte[]> row,
      UnaryOperator<byte[]> shown,
      UnaryOperator<List<ColumnDefinition>> columns) {
    this(sql, row, shown, columns, List.of());
  }

  /** With the columns that the statement has. */
  public ShadowSight(String sql, Predicate<byte[]> row, UnaryOperator<byte[]> shown) {
    this(sql, row, shown, UnaryOperator.identity());
  }

  /** Rows that are shown as they are. */
  public ShadowSight(String sql, Predicate<byte[]> row) {
    this(sql, row, UnaryOperator.identity());
  }

  private ShadowSight with(List<Condition> added) {
    return new ShadowSight(sql, row, shown, columns, added);
  }

  /** After SHOW TABLE and SHOW CREATE TABLE, where TABLE can only begin a query. */
  private static final int BEHIND_TABLE = 3;

  private static final String SUBQUERY = "a subquery in SHOW; use a query over information_schema";

  /** Where SHOW INDEX names the column. */
  private static final int KEY_COLUMN = 4;

  /** Where SHOW TRIGGERS names the table. */
  private static final int TRIGGERS_TABLE = 2;

  /** How a session sees the answer to a statement. */
  public static ShadowSight of(String text, Session session, CnParts parts) {
    Catalog catalog = parts.gms().catalog();
    Access access = session.user().access(catalog);
    LexicalMode mode = session.variables().lexicalMode();
    TokenCursor tokens = new TokenCursor(text, mode.ansiQuotes(), mode.noBackslashEscapes());
    VisibleNames visible = new VisibleNames(catalog, access);
    TableStatus figures = new TableStatus(parts, session);
    if (tokens.take("SHOW")) {
      if (ofBinaryLog(tokens)) {
        return new ShadowSight(text, row -> false);
      }
      int behind = tokens.position();
      ClusterStatus values = new ClusterStatus(parts, session);
      Optional<String> status = values.ofShow(tokens);
      if (status.isPresent()) {
        return new ShadowSight(
            status.get(), row -> true, UnaryOperator.identity(), made -> values.columns());
      }
      tokens.moveTo(behind);
      String shown = figures.ofShow(tokens).orElse(text);
      tokens.moveTo(behind);
      shown = StorageTable.ofShow(tokens, () -> DnGroups.of(parts)).orElse(shown);
      tokens.moveTo(behind);
      UnaryOperator<byte[]> indexes = new IndexFigures(parts, session).ofShow(tokens);
      tokens.moveTo(behind);
      return access.everything()
          ? new ShadowSight(shown, row -> true, indexes)
          : new ShadowSight(
              shown,
              ofShow(tokens, session.schema(), visible),
              ofRoutine(tokens, session.schema(), visible, indexes));
    }
    if (tokens.sees("HELP")) {
      return new ShadowSight(text, row -> true);
    }
    if (tokens.take("DESCRIBE") || tokens.take("DESC") || tokens.take("EXPLAIN")) {
      TableName table = tokens.tableName();
      return StorageTable.named(table.schema().orElse(session.schema()), table.table())
          .map(members -> new ShadowSight(members.described(), row -> true))
          .orElseGet(() -> described(text, table, session, visible));
    }
    return ofQuery(text, tokens, session, parts, visible);
  }

  private static ShadowSight ofQuery(
      String text, TokenCursor tokens, Session session, CnParts parts, VisibleNames visible) {
    Access access = visible.access();
    TableStatus figures = new TableStatus(parts, session);
    ClusterSessions sessions = new ClusterSessions(parts.sessions(), access, true);
    LockWaitTable lockWaits = LockWaitTable.of(parts, access);
    ClusterDigests digests = new ClusterDigests(parts.sessions().asks());
    SystemRows own = new SystemRows(parts.gms().catalog(), access, sessions, lockWaits);
    RowSources sources =
        new RowSources(
            own,
            visible,
            new ClusterStatus(parts, session),
            parts,
            digests,
            TableStatus.isAskedBy(tokens)
                ? Optional.of(
                    new Figures(
                        figures,
                        new IndexFigures(parts, session),
                        new NativePartitions(parts, session.variables())))
                : Optional.empty());
    refuseBraces(tokens, access);
    String query = SystemTableText.with(text, tokens, session.schema(), sources::of);
    List<Condition> warnings = new ArrayList<>(sessions.warnings());
    warnings.addAll(lockWaits.warnings());
    warnings.addAll(digests.warnings());
    return new ShadowSight(query, row -> true).with(warnings);
  }

  private static ShadowSight described(
      String text, TableName table, Session session, VisibleNames visible) {
    boolean some = visible.access().hasColumns();
    return new ShadowSight(
        text, some ? ofColumns(table, session.schema(), 0, visible) : row -> true);
  }

  private static void refuseBraces(TokenCursor tokens, Access access) {
    if (!access.everything()) {
      refuse(tokens, 0, "{", "'{' in a query over system tables; write the join without it");
    }
  }

  /**
   * SHOW BINARY LOG STATUS and SHOW REPLICAS: the logs of the mysqlds, and who reads them, are
   * Alrai's own.
   *
   * @throws AlraiException 1381 for what lists logs or events, as of a server without
   */
  private static boolean ofBinaryLog(TokenCursor tokens) {
    if (tokens.sees("BINARY", "LOGS") || tokens.sees("BINLOG", "EVENTS")) {
      throw new AlraiException(ErrorCode.ER_NO_BINARY_LOGGING, "You are not using binary logging");
    }
    return tokens.sees("BINARY", "LOG", "STATUS") || tokens.sees("REPLICAS");
  }

  private static Predicate<byte[]> ofShow(
      TokenCursor tokens, String currentSchema, VisibleNames visible) {
    refuse(tokens, 0, "SELECT", SUBQUERY);
    refuse(tokens, BEHIND_TABLE, "TABLE", SUBQUERY);
    tokens.take("EXTENDED");
    tokens.take("FULL");
    if (tokens.take("DATABASES") || tokens.take("SCHEMAS")) {
      return row -> visible.sees(name(row, 0));
    }
    if (tokens.take("OPEN")) {
      return row -> visible.sees(name(row, 0), name(row, 1));
    }
    if (tokens.take("TABLES") || tokens.take("TABLE", "STATUS")) {
      boolean given = tokens.take("FROM") || tokens.take("IN");
      String schema = given ? tokens.identifier() : currentSchema;
      return row -> visible.sees(schema, name(row, 0));
    }
    if (tokens.take("TRIGGERS")) {
      boolean given = tokens.take("FROM") || tokens.take("IN");
      String schema = given ? tokens.identifier() : currentSchema;
      return row -> visible.seesTriggers(schema, name(row, TRIGGERS_TABLE));
    }
    for (RoutineKind kind : RoutineKind.values()) {
      if (tokens.take(kind.name(), "STATUS")) {
        return row -> visible.knows(kind, name(row, 0), name(row, 1));
      }
    }
    boolean columns = tokens.take("COLUMNS") || tokens.take("FIELDS");
    boolean keys = tokens.take("INDEX") || tokens.take("INDEXES") || tokens.take("KEYS");
    if ((columns || keys) && (tokens.take("FROM") || tokens.take("IN"))) {
      TableName table = tokens.tableName();
      if (tokens.take("FROM") || tokens.take("IN")) {
        table = new TableName(Optional.of(tokens.identifier()), table.table());
      }
      return ofColumns(table, currentSchema, columns ? 0 : KEY_COLUMN, visible);
    }
    return row -> true;
  }

  /** SHOW CREATE PROCEDURE and SHOW CREATE FUNCTION, without the text that is for others. */
  private static UnaryOperator<byte[]> ofRoutine(
      TokenCursor tokens,
      String currentSchema,
      VisibleNames visible,
      UnaryOperator<byte[]> others) {
    for (RoutineKind kind : RoutineKind.values()) {
      if (tokens.take("CREATE", kind.name())) {
        TableName name = tokens.tableName();
        return visible.seesText(kind, name.schema().orElse(currentSchema), name.table())
            ? others
            : DefinitionRow::withoutText;
      }
    }
    return others;
  }

  /** Rows whose value at a place names a column of a table. */
  private static Predicate<byte[]> ofColumns(
      TableName table, String currentSchema, int at, VisibleNames visible) {
    String schema = table.schema().orElse(currentSchema);
    return row -> visible.sees(schema, table.table(), name(row, at));
  }

  private static String name(byte[] row, int column) {
    @Nullable String value = ShardQueries.texts(row, column + 1).get(column);
    return value == null ? "" : value;
  }

  /** What partitions know of tables, their indexes and a mysqld's own partitions. */
  private record Figures(TableStatus tables, IndexFigures indexes, NativePartitions partitions) {
    /** Empty for a table of information_schema without figures. */
    Optional<String> over(String table, Supplier<String> rows) {
      return switch (table.toUpperCase(Locale.ROOT)) {
        case "TABLES" -> Optional.of(tables.over(rows.get()));
        case "STATISTICS" -> Optional.of(indexes.over(rows.get()));
        case "PARTITIONS" -> Optional.of(partitions.over(rows.get()));
        default -> Optional.empty();
      };
    }
  }

  /**
   * Where the rows of a table come from, but for the mysqld's own.
   *
   * @param figures for queries that may show them
   */
  private record RowSources(
      SystemRows own,
      VisibleNames visible,
      ClusterStatus values,
      CnParts parts,
      ClusterDigests digests,
      Optional<Figures> figures) {
    public Optional<String> of(String schema, String table) {
      if (schema.equalsIgnoreCase("performance_schema")) {
        return values
            .of(table)
            .or(() -> new DigestTables(digests).of(table))
            .or(() -> own.of(schema, table));
      }
      if (schema.equalsIgnoreCase("mysql") && table.equalsIgnoreCase(SlowLogTable.NAME)) {
        return Optional.of(SlowLogTable.query(parts.digests().slowLog().rows()));
      }
      if (schema.equalsIgnoreCase("sys")) {
        return new SysViews(parts.queries(), this::of).of(table).or(() -> own.of(schema, table));
      }
      Optional<String> found = own.of(schema, table);
      if (!schema.equalsIgnoreCase("information_schema")) {
        return found;
      }
      Optional<StorageTable> members = StorageTable.named(table);
      if (members.isPresent()) {
        return members.map(new StorageQueries(() -> DnGroups.of(parts))::of);
      }
      Optional<String> rows =
          found.isEmpty() && !own.access().everything() ? visible.of(table) : found;
      Supplier<String> source =
          () -> rows.map(query -> "(" + query + ")").orElse("information_schema." + table);
      Optional<String> counted = figures.flatMap(each -> each.over(table, source));
      return counted.isPresent() ? counted : rows;
    }
  }

  /**
   * Refuses what could read tables that are not found by their place: a subquery of SHOW, ODBC's
   * braces.
   */
  private static void refuse(TokenCursor tokens, int from, String text, String what) {
    for (int i = from; i < tokens.size(); i++) {
      boolean quoted = tokens.kindAt(i) == TokenKind.QUOTED;
      if (!quoted && tokens.token(i).text().equalsIgnoreCase(text)) {
        throw AlraiException.unsupported(what);
      }
    }
  }
}
