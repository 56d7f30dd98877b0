package io.alrai.cn.admin;

import io.alrai.cn.session.Session;
import io.alrai.cn.session.SessionSettings;
import io.alrai.cn.shard.ShardCall;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.dn.link.BackendAccount;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.PartitionGroup;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Schema;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.parse.SystemTables;
import io.alrai.optimizer.parse.TokenCursor;
import io.alrai.optimizer.parse.TokenKind;
import io.alrai.optimizer.syntax.Identifier;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Rows, bytes, the next AUTO_INCREMENT number and the last change of tables, which their shadows do
 * not have: sums over the partitions, as the mysqlds estimate them, NULL while a DN is away. One
 * statement; blocks.
 */
final class TableStatus {
  private static final Set<String> COLUMNS =
      Set.of(
          "TABLE_ROWS",
          "AVG_ROW_LENGTH",
          "DATA_LENGTH",
          "INDEX_LENGTH",
          "DATA_FREE",
          "AUTO_INCREMENT",
          "UPDATE_TIME");

  private static final String STATS_EXPIRY = "information_schema_stats_expiry";

  private final CnParts parts;
  private final Session session;

  TableStatus(CnParts parts, Session session) {
    this.parts = parts;
    this.session = session;
  }

  /** What the partitions have together; unknown while one of them cannot be asked. */
  private static final class Figures {
    /** Whether the mysqld of its place gives the AUTO_INCREMENT numbers. */
    private final boolean ownIds;

    private boolean unknown;
    private long rows;
    private long dataLength;
    private long indexLength;
    private long dataFree;
    private @Nullable Long nextId;
    private @Nullable Long changedAt;

    Figures(boolean ownIds) {
      this.ownIds = ownIds;
    }

    /** Adds what the partition on one place has. */
    void add(List<@Nullable String> row) {
      rows += number(row.get(2));
      dataLength += number(row.get(3));
      indexLength += number(row.get(4));
      dataFree += number(row.get(5));
      if (ownIds && row.get(6) != null) {
        nextId = number(row.get(6));
      }
      if (row.get(7) != null) {
        changedAt = Math.max(changedAt == null ? 0 : changedAt, number(row.get(7)));
      }
    }

    private static long number(@Nullable String text) {
      return text == null ? 0 : Long.parseUnsignedLong(text);
    }

    /** The values of a JSON array. */
    String json() {
      String next = nextId == null ? "null" : Long.toUnsignedString(nextId);
      return unknown
          ? "null,null,null,null,null," + next + ",null"
          : rows
              + ","
              + (rows == 0 ? 0 : dataLength / rows)
              + ","
              + dataLength
              + ","
              + indexLength
              + ","
              + dataFree
              + ","
              + next
              + ","
              + changedAt;
    }
  }

  /** Whether a query over information_schema may show them. */
  static boolean isAskedBy(TokenCursor query) {
    for (int i = 0; i < query.size(); i++) {
      TokenCursor.Token token = query.token(i);
      boolean named =
          token.isName() && COLUMNS.stream().anyMatch(name -> name.equalsIgnoreCase(token.name()));
      boolean all =
          token.text().equals("*")
              && query.kindAt(i) == TokenKind.OPERATOR
              && (i == 0 || query.kindAt(i - 1) != TokenKind.OPEN);
      if (named || all || token.isWord("NATURAL") || query.seesAt(i, "TABLE")) {
        return true;
      }
    }
    return false;
  }

  /**
   * SHOW TABLE STATUS as a query.
   *
   * @param show behind SHOW
   * @return empty for other statements, and for a schema of MySQL's own
   * @throws AlraiException 1046 and 1049 as MySQL
   */
  Optional<String> ofShow(TokenCursor show) {
    if (!show.take("TABLE", "STATUS")) {
      return Optional.empty();
    }
    boolean given = show.take("FROM") || show.take("IN");
    String schema = given ? show.identifier() : session.schema();
    if (schema.isEmpty()) {
      throw new AlraiException(ErrorCode.ER_NO_DB_ERROR, "No database selected");
    }
    if (SystemTables.isSystemSchema(schema)) {
      return Optional.empty();
    }
    if (parts.gms().catalog().schema(schema).isEmpty()) {
      throw new AlraiException(ErrorCode.ER_BAD_DB_ERROR, "Unknown database '" + schema + "'");
    }
    String condition = "";
    if (show.sees("LIKE")) {
      condition = " WHERE Name " + show.slice(show.position(), show.size());
    } else if (show.sees("WHERE")) {
      condition = " " + show.slice(show.position(), show.size());
    } else {
      show.expectEnd();
    }
    return Optional.of(
        "SELECT * FROM (SELECT TABLE_NAME AS Name,ENGINE AS Engine,VERSION AS Version,ROW_FORMAT AS"
            + " Row_format,TABLE_ROWS AS `Rows`,AVG_ROW_LENGTH AS Avg_row_length,DATA_LENGTH AS"
            + " Data_length,MAX_DATA_LENGTH AS Max_data_length,INDEX_LENGTH AS"
            + " Index_length,DATA_FREE AS Data_free,AUTO_INCREMENT AS Auto_increment,CREATE_TIME AS"
            + " Create_time,UPDATE_TIME AS Update_time,CHECK_TIME AS Check_time,TABLE_COLLATION AS"
            + " Collation,CHECKSUM AS Checksum,CREATE_OPTIONS AS Create_options,TABLE_COMMENT AS"
            + " Comment FROM ("
            + over("information_schema.TABLES", catalog -> catalog.schema(schema).stream().toList())
            + ") AS `TABLES` WHERE TABLE_SCHEMA="
            + string(schema)
            + " ORDER BY Name) AS `TABLES`"
            + condition);
  }

  /** A query that gives what {@code information_schema.TABLES} should. */
  String over(String tables) {
    return over(tables, catalog -> catalog.schemas().values());
  }

  /** The number that comes next; empty for a table without AUTO_INCREMENT. */
  Optional<Long> nextId(Table table) {
    if (table.autoIncrementColumn().isEmpty()) {
      return Optional.empty();
    }
    if (!table.ownIds()) {
      return reached(() -> parts.sequences().next(List.of(table.sequence())))
          .flatMap(next -> next.values().stream().findFirst());
    }
    PartitionGroup place = TablePlaces.of(parts.gms().catalog(), table).getFirst();
    String show = "SHOW CREATE TABLE " + Identifier.quote(table.name());
    return reached(() -> parts.queries().query(place.dn(), place.physicalSchema(), show))
        .flatMap(rows -> rows.stream().findFirst())
        .flatMap(row -> Optional.ofNullable(row.get(1)))
        .flatMap(DefinitionRow::nextId);
  }

  /** Empty while who is asked is away: what else a statement shows is no worse for it. */
  private static <T> Optional<T> reached(Supplier<T> question) {
    try {
      return Optional.of(question.get());
    } catch (AlraiException e) {
      boolean away =
          e.errno() == ErrorCode.ALRAI_NODE_UNAVAILABLE.errno()
              || e.errno() == ErrorCode.CR_SERVER_LOST.errno();
      if (!away) {
        throw e;
      }
      return Optional.empty();
    }
  }

  private String over(String tables, Function<Catalog, Collection<Schema>> of) {
    Map<String, Map<String, Figures>> figures = figures(of);
    String list =
        figures.entrySet().stream()
            .flatMap(schema ->
                schema.getValue().entrySet().stream()
                    .map(table ->
                        "["
                            + json(schema.getKey())
                            + ","
                            + json(table.getKey())
                            + ","
                            + table.getValue().json()
                            + "]"))
            .collect(Collectors.joining(",", "[", "]"));
    return "SELECT t.TABLE_CATALOG,t.TABLE_SCHEMA,t.TABLE_NAME,t.TABLE_TYPE,t.ENGINE,t.VERSION,"
        + "t.ROW_FORMAT"
        + either("TABLE_ROWS", "f.r")
        + either("AVG_ROW_LENGTH", "f.a")
        + either("DATA_LENGTH", "f.d")
        + ",t.MAX_DATA_LENGTH"
        + either("INDEX_LENGTH", "f.i")
        + either("DATA_FREE", "f.e")
        + either("AUTO_INCREMENT", "f.x")
        + ",t.CREATE_TIME"
        + either("UPDATE_TIME", "FROM_UNIXTIME(f.u)")
        + ",t.CHECK_TIME,t.TABLE_COLLATION,t.CHECKSUM,t.CREATE_OPTIONS,t.TABLE_COMMENT FROM "
        + tables
        + " AS t LEFT JOIN JSON_TABLE(CONVERT("
        + SystemRows.hex(list)
        + " USING utf8mb4),'$[*]' COLUMNS("
        + "s VARCHAR(64) COLLATE utf8mb4_bin PATH '$[0]',"
        + "n VARCHAR(64) COLLATE utf8mb4_bin PATH '$[1]',"
        + "r BIGINT UNSIGNED PATH '$[2]',a BIGINT UNSIGNED PATH '$[3]',"
        + "d BIGINT UNSIGNED PATH '$[4]',i BIGINT UNSIGNED PATH '$[5]',"
        + "e BIGINT UNSIGNED PATH '$[6]',x BIGINT UNSIGNED PATH '$[7]',"
        + "u BIGINT PATH '$[8]')) AS f ON f.s=t.TABLE_SCHEMA AND f.n=t.TABLE_NAME";
  }

  private static String either(String column, String figure) {
    return ",IF(f.s IS NULL,t." + column + "," + figure + ") AS " + column;
  }

  /** Compared by the collation of its column. */
  private static String string(String name) {
    return "_utf8mb4 " + SystemRows.hex(name);
  }

  private static String json(String name) {
    StringBuilder text = new StringBuilder("\"");
    name.chars()
        .forEach(c -> {
          if (c < ' ' || c == '"' || c == '\\') {
            text.append(String.format(Locale.ROOT, "\\u%04x", c));
          } else {
            text.append((char) c);
          }
        });
    return text.append('"').toString();
  }

  private Map<String, Map<String, Figures>> figures(Function<Catalog, Collection<Schema>> of) {
    Catalog catalog = parts.gms().catalog();
    Map<String, Map<String, Figures>> figures = new TreeMap<>();
    Map<DnId, Map<String, Map<String, Figures>>> places = new LinkedHashMap<>();
    Map<String, Figures> bySequence = new HashMap<>();
    for (Schema schema : of.apply(catalog)) {
      Map<String, Figures> inSchema = new TreeMap<>();
      figures.put(schema.name(), inSchema);
      for (Table table : schema.tables().values()) {
        Figures sums = new Figures(table.ownIds());
        inSchema.put(table.name(), sums);
        if (table.autoIncrementColumn().isPresent() && !table.ownIds()) {
          bySequence.put(table.sequence(), sums);
        }
        for (PartitionGroup place : counted(catalog, table)) {
          places
              .computeIfAbsent(place.dn(), dn -> new HashMap<>())
              .computeIfAbsent(place.physicalSchema(), physical -> new HashMap<>())
              .put(table.name(), sums);
        }
      }
    }
    reached(() -> parts.sequences().next(bySequence.keySet()))
        .ifPresent(next -> bySequence.forEach((name, sums) -> sums.nextId = next.get(name)));
    read(places);
    return figures;
  }

  /** Of a table that is on all DNs one counts. */
  private static List<PartitionGroup> counted(Catalog catalog, Table table) {
    List<PartitionGroup> places = TablePlaces.of(catalog, table);
    boolean same = table.partitioning() instanceof Partitioning.Broadcast;
    return same ? places.subList(0, 1) : places;
  }

  /** Asks all DNs at once. */
  private void read(Map<DnId, Map<String, Map<String, Figures>>> places) {
    ShardQueries queries = parts.queries().withSettings(settings());
    Map<ShardCall, Map<String, Map<String, Figures>>> calls = new LinkedHashMap<>();
    try {
      places.forEach((dn, schemas) -> {
        byte[] sql = query(schemas.keySet()).getBytes(StandardCharsets.UTF_8);
        calls.put(queries.start(dn, BackendAccount.DATA, "", sql), schemas);
      });
      calls.forEach(TableStatus::read);
    } finally {
      calls.keySet().forEach(ShardCall::close);
    }
  }

  private static void read(ShardCall call, Map<String, Map<String, Figures>> schemas) {
    Optional<List<List<@Nullable String>>> rows = reached(() -> ShardQueries.rows(call));
    for (List<@Nullable String> row : rows.orElse(List.of())) {
      Figures sums =
          schemas
              .getOrDefault(String.valueOf(row.get(0)), Map.of())
              .get(String.valueOf(row.get(1)));
      if (sums != null) {
        sums.add(row);
      }
    }
    if (rows.isEmpty()) {
      schemas.values().forEach(tables -> tables.values().forEach(sums -> sums.unknown = true));
    }
  }

  private static String query(Collection<String> schemas) {
    return new TreeSet<>(schemas)
        .stream()
            .map(TableStatus::string)
            .collect(
                Collectors.joining(
                    ",",
                    "SELECT TABLE_SCHEMA,TABLE_NAME,TABLE_ROWS,DATA_LENGTH,INDEX_LENGTH,DATA_FREE,"
                        + "AUTO_INCREMENT,UNIX_TIMESTAMP(UPDATE_TIME) FROM information_schema.TABLES"
                        + " WHERE TABLE_SCHEMA IN (",
                    ")"));
  }

  /** The estimates are as old as the session bears. */
  private SessionSettings settings() {
    SessionSettings defaults = parts.settings().defaults();
    String expiry = session.backendSettings().literal(STATS_EXPIRY);
    return expiry.isEmpty() ? defaults : parts.settings().with(defaults, STATS_EXPIRY, expiry);
  }
}
