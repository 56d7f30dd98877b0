package io.alrai.cn.system;

import io.alrai.cn.result.ResultTable;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.SettingsCharset;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.common.sql.Sql;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.token.TokenCursor;
import java.nio.charset.Charset;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * information_schema.STATISTICS and SHOW INDEX with the cardinalities of indexes in the partitions,
 * summed up, as a mysqld does for its own partitions; NULL where a DN is away. Blocks.
 */
public final class IndexFigures {
  /**
   * What SHOW INDEX has: where it names the index, the column's place in it and the cardinality.
   */
  private static final int SHOWN_COLUMNS = 15;

  private static final int SHOWN_NAME = 2;
  private static final int SHOWN_PLACE = 3;
  private static final int SHOWN_CARDINALITY = 6;

  private final Catalog catalog;
  private final Session session;
  private final PartitionRows partitions;

  IndexFigures(CnParts parts, Session session) {
    this.catalog = parts.gms().catalog();
    this.session = session;
    this.partitions = new PartitionRows(parts, session.variables());
  }

  /**
   * A column of an index.
   *
   * @param place from 1, as text
   */
  private record Part(Table table, String index, String place) implements PartitionRows.Part {}

  /** What comes, summed up. */
  public static final class Sums extends PartitionRows.Sums<Part, Long> {
    @Override
    public void row(Table table, List<@Nullable String> row) {
      Part part = new Part(table, String.valueOf(row.get(2)), String.valueOf(row.get(3)));
      parts().merge(part, Long.parseUnsignedLong(String.valueOf(row.get(4))), Long::sum);
    }

    @Override
    String cells(Part part, Long sum) {
      return "\"" + TableStatus.hex(part.index()) + "\"," + part.place() + "," + sum;
    }
  }

  private Sums sums(Collection<Table> tables) {
    Sums sums = new Sums();
    partitions.read(catalog, tables, IndexFigures::query, sums);
    return sums;
  }

  private static Sql query(Sql schemas) {
    return Sql.of(
            "SELECT TABLE_SCHEMA,TABLE_NAME,INDEX_NAME,SEQ_IN_INDEX,CARDINALITY"
                + " FROM information_schema.STATISTICS WHERE CARDINALITY IS NOT NULL"
                + " AND TABLE_SCHEMA IN (")
        .add(schemas)
        .words(")");
  }

  /** A query that gives what {@code information_schema.STATISTICS} should. */
  String over(String statistics) {
    return "SELECT t.TABLE_CATALOG,t.TABLE_SCHEMA,t.TABLE_NAME,t.NON_UNIQUE,t.INDEX_SCHEMA,"
        + "t.INDEX_NAME,t.SEQ_IN_INDEX,t.COLUMN_NAME,t.COLLATION"
        + ",IF(f.s IS NULL,t.CARDINALITY,f.c) AS CARDINALITY"
        + ",t.SUB_PART,t.PACKED,t.NULLABLE,t.INDEX_TYPE,t.COMMENT,t.INDEX_COMMENT,t.IS_VISIBLE,"
        + "t.EXPRESSION FROM "
        + statistics
        + " AS t LEFT JOIN JSON_TABLE(_utf8mb4'"
        + sums(PartitionRows.all(catalog)).json()
        + "',_utf8mb4'$[*]' COLUMNS("
        + "s VARCHAR(512) PATH _utf8mb4'$[0]',n VARCHAR(512) PATH _utf8mb4'$[1]',"
        + "k VARCHAR(512) PATH _utf8mb4'$[2]',q INT PATH _utf8mb4'$[3]',"
        + "c BIGINT PATH _utf8mb4'$[4]')) AS f ON f.s=HEX(t.TABLE_SCHEMA)"
        + " AND f.n=HEX(t.TABLE_NAME)"
        + " AND (f.k IS NULL OR f.k=HEX(t.INDEX_NAME) AND f.q=t.SEQ_IN_INDEX)";
  }

  /**
   * What SHOW INDEX shows in place of a row.
   *
   * @param show after SHOW
   * @return each row as it is for other statements
   */
  UnaryOperator<byte[]> ofShow(TokenCursor show) {
    show.take("EXTENDED");
    boolean indexes = show.take("INDEX") || show.take("INDEXES") || show.take("KEYS");
    if (!indexes || !(show.take("FROM") || show.take("IN"))) {
      return UnaryOperator.identity();
    }
    TableName name = show.tableName();
    if (show.take("FROM") || show.take("IN")) {
      name = new TableName(Optional.of(show.identifier()), name.table());
    }
    Optional<Table> table = catalog.table(name.schema().orElse(session.schema()), name.table());
    if (table.isEmpty()) {
      return UnaryOperator.identity();
    }
    Sums sums = sums(List.of(table.get()));
    boolean away = sums.isUnknown(table.get());
    Charset charset = SettingsCharset.ofResults(session.variables().settings());
    return row -> {
      List<byte @Nullable []> values = ShardQueries.cells(row, SHOWN_COLUMNS);
      Part part =
          new Part(
              table.get(),
              text(values.get(SHOWN_NAME), charset),
              text(values.get(SHOWN_PLACE), charset));
      @Nullable Long sum = sums.parts().get(part);
      if (away) {
        values.set(SHOWN_CARDINALITY, null);
      } else if (sum != null) {
        values.set(SHOWN_CARDINALITY, Long.toString(sum).getBytes(charset));
      }
      return ResultTable.encode(values);
    };
  }

  private static String text(byte @Nullable [] value, Charset charset) {
    return value == null ? "" : new String(value, charset);
  }
}
