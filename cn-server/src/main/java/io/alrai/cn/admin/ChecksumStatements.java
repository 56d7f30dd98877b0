package io.alrai.cn.admin;

import io.alrai.cn.branch.RowAccess;
import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.result.ResultTable;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.Diagnostics;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.cn.shard.ShardStatement;
import io.alrai.cn.shard.StatementViews;
import io.alrai.cn.statement.LogicalNames;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.system.CnParts;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.PartitionGroup;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.AdminStatement.ChecksumTables;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.token.SystemTables;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * CHECKSUM TABLE. A table's checksum is the sum of those of its rows, modulo 2<sup>32</sup>
 * (mysqld's {@code mysql_checksum_table}), so it is the sum of its partitions'. All tables of a
 * statement are read at one snapshot. Virtual threads.
 */
final class ChecksumStatements {
  private static final long MODULUS = 1L << 32;

  private final CnParts parts;
  private final LogicalNames names;

  ChecksumStatements(CnParts parts) {
    this.parts = parts;
    this.names = new LogicalNames(parts.gms()::catalog);
  }

  /**
   * Where a table is.
   *
   * @param shown its name in the result
   * @param places by DN; none where no DN is asked
   */
  private record Target(String shown, Map<DnId, List<Sql>> places, List<Condition> errors) {}

  /** One row of the result. */
  private record Sum(String shown, @Nullable Long value, List<Condition> conditions) {}

  /**
   * Runs a statement and answers the client.
   *
   * @throws AlraiException 1046 without a schema, 1066 for a table that is named twice
   */
  void run(StatementRun run, ChecksumTables statement) {
    Session session = run.session();
    Catalog catalog = session.temporary().over(parts.gms().catalog());
    List<Target> targets = new ArrayList<>();
    Set<String> named = new HashSet<>();
    for (TableName name : statement.tables()) {
      String schema = name.schema().orElse(session.schema());
      if (schema.isEmpty()) {
        throw new AlraiException(ErrorCode.ER_NO_DB_ERROR, "No database selected");
      }
      if (!named.add(schema + "." + name.table())) {
        throw new AlraiException(
            ErrorCode.ER_NONUNIQ_TABLE, "Not unique table/alias: '" + name.table() + "'");
      }
      targets.add(target(catalog, schema, name.table()));
    }
    ResultTable result = new ResultTable().text("Table", 384).number("Checksum");
    List<Condition> conditions = new ArrayList<>();
    for (Sum sum : sums(run, targets, statement.quick() ? Sql.of(" QUICK") : Sql.EMPTY)) {
      result.row(sum.shown(), sum.value());
      conditions.addAll(sum.conditions());
    }
    session.last().rowCount(-1);
    session.last().diagnostics(Diagnostics.of(conditions));
    result.writeTo(run.writer(), conditions.size(), run.statusFlags());
  }

  private Target target(Catalog catalog, String schema, String name) {
    String full = schema + "." + name;
    if (SystemTables.isSystemSchema(schema)) {
      boolean upper = schema.equalsIgnoreCase("information_schema");
      String shown = schema + "." + (upper ? name.toUpperCase(Locale.ROOT) : name);
      DnId dn = parts.queries().links().dns().getFirst();
      return new Target(shown, Map.of(dn, List.of(Sql.EMPTY.name(schema, name))), List.of());
    }
    if (catalog.view(schema, name).isPresent()) {
      return failed(full, ErrorCode.ER_WRONG_OBJECT, "'" + full + "' is not BASE TABLE");
    }
    if (catalog.schema(schema).isEmpty()) {
      return failed(full, ErrorCode.ER_BAD_DB_ERROR, "Unknown database '" + schema + "'");
    }
    Table table = catalog.table(schema, name).orElse(null);
    if (table == null) {
      return failed(full, ErrorCode.ER_NO_SUCH_TABLE, "Table '" + full + "' doesn't exist");
    }
    List<PartitionGroup> all = catalog.places(table);
    boolean equal = table.partitioning() instanceof Partitioning.Broadcast;
    Map<DnId, List<Sql>> places = new LinkedHashMap<>();
    for (PartitionGroup place : equal ? all.subList(0, 1) : all) {
      places
          .computeIfAbsent(place.dn(), dn -> new ArrayList<>())
          .add(Sql.EMPTY.name(place.physicalSchema().name(), table.name()));
    }
    return new Target(full, places, List.of());
  }

  private static Target failed(String shown, ErrorCode code, String sentence) {
    return new Target(shown, Map.of(), List.of(new Condition("Error", code.errno(), sentence)));
  }

  private List<Sum> sums(StatementRun run, List<Target> targets, Sql option) {
    Set<DnId> dns =
        targets.stream()
            .flatMap(target -> target.places().keySet().stream())
            .collect(Collectors.toSet());
    long read = targets.stream().filter(target -> !target.places().isEmpty()).count();
    run.shards().takeWarnings();
    boolean once = read == 1;
    StatementViews views = dns.isEmpty() ? StatementViews.NONE : run.shards().awaitViews(dns, once);
    try {
      return targets.stream().map(target -> sum(run, target, option, views)).toList();
    } finally {
      if (!once) {
        run.shards().endViews(views);
      }
    }
  }

  private Sum sum(StatementRun run, Target target, Sql option, StatementViews views) {
    if (target.places().isEmpty()) {
      return new Sum(target.shown(), null, target.errors());
    }
    List<ShardCall> calls = new ArrayList<>();
    List<List<@Nullable String>> rows = new ArrayList<>();
    try {
      target
          .places()
          .forEach((dn, places) -> {
            Sql sql = Sql.of("CHECKSUM TABLE ").add(Sql.join(", ", places)).add(option);
            calls.add(
                run.shards().start(dn, "", ShardStatement.text(sql), RowAccess.CONSISTENT, views));
          });
      calls.forEach(call -> rows.addAll(ShardQueries.rows(call)));
    } finally {
      calls.forEach(ShardCall::close);
    }
    List<Condition> told =
        run.shards().takeWarnings().stream()
            .map(each -> new Condition(each.level(), each.code(), names.text(each.message())))
            .distinct()
            .toList();
    return new Sum(target.shown(), total(rows), told);
  }

  /** Null where a part has none. */
  private static @Nullable Long total(List<List<@Nullable String>> rows) {
    long total = 0;
    for (List<@Nullable String> row : rows) {
      String part = row.get(1);
      if (part == null) {
        return null;
      }
      total = (total + Long.parseLong(part)) % MODULUS;
    }
    return total;
  }
}
