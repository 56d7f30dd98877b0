package io.alrai.cn.system;

import io.alrai.cn.session.SessionVariables;
import io.alrai.common.sql.Sql;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * information_schema.PARTITIONS with rows and bytes: a mysqld's own partitions, each summed up over
 * the places of its table; a table without them is one. NULL where a DN is away. Blocks.
 */
public final class NativePartitions {
  private final Catalog catalog;
  private final PartitionRows partitions;

  NativePartitions(CnParts parts, SessionVariables variables) {
    this.catalog = parts.gms().catalog();
    this.partitions = new PartitionRows(parts, variables);
  }

  /** Its names are empty where there is none. */
  private record Part(Table table, String partition, String subpartition)
      implements PartitionRows.Part {}

  /** What comes, summed up. */
  public static final class Sums extends PartitionRows.Sums<Part, TableFigures.Sums> {
    @Override
    public void row(Table table, List<@Nullable String> row) {
      Part part = new Part(table, text(row.get(8)), text(row.get(9)));
      parts().computeIfAbsent(part, key -> new TableFigures.Sums(false)).add(row);
    }

    private static String text(@Nullable String name) {
      return name == null ? "" : name;
    }

    @Override
    String cells(Part part, TableFigures.Sums sum) {
      return sum
          + ",\""
          + TableStatus.hex(part.partition())
          + "\",\""
          + TableStatus.hex(part.subpartition())
          + "\"";
    }
  }

  private static Sql query(Sql schemas) {
    return Sql.of(
            "SELECT TABLE_SCHEMA,TABLE_NAME,TABLE_ROWS,DATA_LENGTH,INDEX_LENGTH,DATA_FREE,NULL,"
                + "UNIX_TIMESTAMP(UPDATE_TIME),PARTITION_NAME,SUBPARTITION_NAME"
                + " FROM information_schema.PARTITIONS WHERE TABLE_SCHEMA IN (")
        .add(schemas)
        .words(")");
  }

  /** A query that gives what {@code information_schema.PARTITIONS} should. */
  String over(String rows) {
    Sums sums = new Sums();
    partitions.read(catalog, PartitionRows.all(catalog), NativePartitions::query, sums);
    return "SELECT t.TABLE_CATALOG,t.TABLE_SCHEMA,t.TABLE_NAME,t.PARTITION_NAME,"
        + "t.SUBPARTITION_NAME,t.PARTITION_ORDINAL_POSITION,t.SUBPARTITION_ORDINAL_POSITION,"
        + "t.PARTITION_METHOD,t.SUBPARTITION_METHOD,t.PARTITION_EXPRESSION,"
        + "t.SUBPARTITION_EXPRESSION,t.PARTITION_DESCRIPTION"
        + TableStatus.either("TABLE_ROWS", "f.r")
        + TableStatus.either("AVG_ROW_LENGTH", "f.a")
        + TableStatus.either("DATA_LENGTH", "f.d")
        + ",t.MAX_DATA_LENGTH"
        + TableStatus.either("INDEX_LENGTH", "f.i")
        + TableStatus.either("DATA_FREE", "f.e")
        + ",t.CREATE_TIME"
        + TableStatus.either("UPDATE_TIME", "FROM_UNIXTIME(f.u)")
        + ",t.CHECK_TIME,t.CHECKSUM,t.PARTITION_COMMENT,t.NODEGROUP,t.TABLESPACE_NAME FROM "
        + rows
        + " AS t LEFT JOIN JSON_TABLE(_utf8mb4'"
        + sums.json()
        + "',_utf8mb4'$[*]' COLUMNS("
        + TableStatus.FIGURES
        + ",p VARCHAR(512) PATH _utf8mb4'$[9]',b VARCHAR(512) PATH _utf8mb4'$[10]')) AS f"
        + TableStatus.ON
        + " AND (f.p IS NULL OR f.p=HEX(IFNULL(t.PARTITION_NAME,''))"
        + " AND f.b=HEX(IFNULL(t.SUBPARTITION_NAME,'')))";
  }
}
