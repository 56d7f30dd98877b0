package io.alrai.cn.write;

import io.alrai.cn.branch.RowAccess;
import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.shard.ShardStatement;
import io.alrai.cn.shard.StatementViews;
import io.alrai.cn.statement.ShardRows;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.text.ExecutorParts;
import io.alrai.cn.text.LiteralText;
import io.alrai.cn.text.SessionText;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.PhysicalSchema;
import io.alrai.common.sql.Sql;
import io.alrai.executor.fragment.Plan.KeyedTarget;
import io.alrai.executor.operator.RowSource;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.Table;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/**
 * The copies of a broadcast table without a primary key, whose rows have another hidden key on each
 * DN. A row is found again by its values; which of several equal rows it is makes no difference.
 * All rows are read, and locked. One virtual thread.
 */
final class HiddenCopies {
  private final StatementRun run;
  private final LiteralText literals;
  private final String table;
  private final Sql select;

  /** The chosen keys of the first DN, by the values of their rows. */
  private final Map<String, String> chosen = new HashMap<>();

  /** The copies of a target. */
  HiddenCopies(ExecutorParts parts, StatementRun run, KeyedTarget target, PhysicalSchema schema) {
    this.run = run;
    this.literals = SessionText.literals(run.session().variables());
    this.table = target.table();
    Table definition = parts.gms().catalog().table(target.schema(), target.table()).orElseThrow();
    this.select = select(definition, schema);
  }

  static Sql select(Table table, PhysicalSchema schema) {
    List<Sql> values = new ArrayList<>(List.of(Sql.of("''"))); // all columns may be generated
    for (Column column : table.columns()) {
      if (!column.generated() && !column.name().equals(Table.IMPLICIT_KEY)) {
        values.add(Sql.of("IFNULL(").add(exact(column)).words(",'-')"));
      }
    }
    return Sql.of("SELECT ")
        .name(Table.IMPLICIT_KEY)
        .words(",SHA2(CONCAT_WS(',',")
        .add(Sql.join(",", values))
        .words("),256) FROM ")
        .name(schema.name(), table.name())
        .words(" ORDER BY 2,1 FOR UPDATE");
  }

  /**
   * A text for each value of the column: different values have different texts, and none is {@code
   * -}.
   */
  private static Sql exact(Column column) {
    Sql name = Sql.EMPTY.name(column.name());
    return switch (column.type()) {
      case FLOAT -> Sql.of("CAST(").add(name).words(" AS DOUBLE)");
      case TIMESTAMP -> Sql.of("UNIX_TIMESTAMP(").add(name).words(")");
      case ENUM, SET, BIT -> Sql.of("CAST(").add(name).words(" AS UNSIGNED)");
      case CHAR,
          VARCHAR,
          VARCHAR_OLD,
          TINYBLOB,
          BLOB,
          MEDIUMBLOB,
          LONGBLOB,
          JSON,
          GEOMETRY,
          VECTOR ->
          Sql.of("SHA2(").add(name).words(",256)");
      case TINYINT,
          SMALLINT,
          MEDIUMINT,
          INT,
          BIGINT,
          YEAR,
          DOUBLE,
          DECIMAL,
          DECIMAL_OLD,
          DATE,
          NEWDATE,
          TIME,
          DATETIME,
          NULL ->
          name;
    };
  }

  /**
   * Finds the rows whose copies are wanted.
   *
   * @param keys row literals, of rows of that DN
   * @throws AlraiException when one of them is not there
   */
  void choose(DnId first, Set<String> keys) {
    read(
        first,
        (row, key) -> {
          if (keys.contains(key)) {
            chosen.put(row, key);
          }
        });
    requireAll(chosen.size(), keys.size());
  }

  /**
   * The keys that the chosen rows have on another DN.
   *
   * @throws AlraiException when a row is missing there: its copy differs from that of the first DN
   */
  UnaryOperator<String> keysAt(DnId dn) {
    Map<String, String> there = new HashMap<>();
    read(
        dn,
        (row, key) -> {
          String first = chosen.get(row);
          if (first != null) {
            there.put(first, key);
          }
        });
    requireAll(there.size(), chosen.size());
    return key -> Objects.requireNonNull(there.get(key));
  }

  private void requireAll(int found, int wanted) {
    if (found != wanted) {
      throw new AlraiException(
          ErrorCode.ALRAI_INTERNAL, "The copies of '" + table + "' are not equal");
    }
  }

  /** Passes each row's content, with its number among equal rows, and its key. */
  private void read(DnId dn, BiConsumer<String, String> each) {
    ShardCall call =
        run.shards()
            .start(
                dn, "", ShardStatement.text(select), RowAccess.ofSelect(true), StatementViews.NONE);
    try (RowSource rows = new ShardRows(call, name -> name, count -> {})) {
      String before = "";
      int number = 0;
      while (rows.advance()) {
        String content = new String(rows.row().value(1), StandardCharsets.US_ASCII);
        number = content.equals(before) ? number + 1 : 0;
        before = content;
        each.accept(content + number, key(rows));
      }
    }
  }

  private String key(RowSource rows) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(24);
    out.write('(');
    literals.append(rows.columns().get(0), rows.row(), 0, out);
    out.write(')');
    return out.toString(StandardCharsets.ISO_8859_1);
  }
}
