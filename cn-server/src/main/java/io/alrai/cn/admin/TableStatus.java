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
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Rows, bytes, the next AUTO_INCREMENT number and the last change of tables, which their shadows do
 * not have: sums over the partitions, as the mysqlds estimate them. One statement; blocks.
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

  /** What the partitions have together. */
  private static final class Figures {
    private long rows;
    private long dataLength;
    private long indexLength;
    private long dataFree;
    private @Nullable Long nextId;
    private @Nullable Long changedAt;

    /** Adds what the partition on one place has. */
    void add(List<@Nullable String> row, boolean ownIds) {
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
      return text == null ? 0 : Long.parseLong(text);
    }

    @Override
    public String toString() {
      return rows
          + ","
          + (rows == 0 ? 0 : dataLength / rows)
          + ","
          + dataLength
          + ","
          + indexLength
          + ","
          + dataFree
          + ","
          + nextId
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
      return parts.sequences().next(List.of(table.sequence())).values().stream().findFirst();
    }
    PartitionGroup place = TablePlaces.of(parts.gms().catalog(), table).getFirst();
    List<List<@Nullable String>> rows =
        parts
            .queries()
            .query(
                place.dn(),
                place.physicalSchema(),
                "SHOW CREATE TABLE " + Identifier.quote(table.name()));
    String definition = rows.isEmpty() ? null : rows.getFirst().get(1);
    return definition == null ? Optional.empty() : DefinitionRow.nextId(definition);
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
                            + table.getValue()
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
    return "\"" + name.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }

  private Map<String, Map<String, Figures>> figures(Function<Catalog, Collection<Schema>> of) {
    Catalog catalog = parts.gms().catalog();
    Map<String, Map<String, Figures>> figures = new TreeMap<>();
    Map<DnId, Map<String, Map<String, Table>>> places = new LinkedHashMap<>();
    Map<String, Figures> bySequence = new HashMap<>();
    for (Schema schema : of.apply(catalog)) {
      Map<String, Figures> inSchema = figures.computeIfAbsent(schema.name(), n -> new TreeMap<>());
      for (Table table : schema.tables().values()) {
        Figures sums = new Figures();
        inSchema.put(table.name(), sums);
        if (table.autoIncrementColumn().isPresent() && !table.ownIds()) {
          bySequence.put(table.sequence(), sums);
        }
        for (PartitionGroup place : counted(catalog, table)) {
          places
              .computeIfAbsent(place.dn(), dn -> new HashMap<>())
              .computeIfAbsent(place.physicalSchema(), physical -> new HashMap<>())
              .put(table.name(), table);
        }
      }
    }
    parts
        .sequences()
        .next(bySequence.keySet())
        .forEach((sequence, next) -> bySequence.get(sequence).nextId = next);
    read(places, figures);
    return figures;
  }

  /** Of a table that is on all DNs one counts. */
  private static List<PartitionGroup> counted(Catalog catalog, Table table) {
    List<PartitionGroup> places = TablePlaces.of(catalog, table);
    boolean same = table.partitioning() instanceof Partitioning.Broadcast;
    return same ? places.subList(0, 1) : places;
  }

  private void read(
      Map<DnId, Map<String, Map<String, Table>>> places,
      Map<String, Map<String, Figures>> figures) {
    ShardQueries queries = parts.queries().withSettings(settings());
    Map<DnId, ShardCall> calls = new LinkedHashMap<>();
    try {
      places.forEach((dn, schemas) ->
          calls.put(
              dn,
              queries.start(
                  dn,
                  BackendAccount.DATA,
                  "",
                  query(schemas.keySet()).getBytes(StandardCharsets.UTF_8))));
      calls.forEach((dn, call) -> {
        for (List<@Nullable String> row : ShardQueries.rows(call)) {
          Table table = places.get(dn).get(row.get(0)).get(row.get(1));
          if (table != null) {
            figures.get(table.schema()).get(table.name()).add(row, table.ownIds());
          }
        }
      });
    } finally {
      new ArrayList<>(calls.values()).forEach(ShardCall::close);
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
