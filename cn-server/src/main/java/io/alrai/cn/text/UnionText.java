package io.alrai.cn.text;

import io.alrai.cn.statement.StatementRun;
import io.alrai.executor.fragment.MergePlan;
import io.alrai.executor.fragment.MergePlan.SortKey;
import io.alrai.executor.fragment.ShardPlace;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;

/**
 * One statement for all places of a DN: {@code (..) UNION ALL (..) [ORDER BY n,..] [LIMIT n]}. The
 * order is by result columns: first the weight where all strings have one, which is NULL for what
 * is no string, then the value.
 */
public final class UnionText {
  private UnionText() {}

  /**
   * The statement.
   *
   * @param rowLimit rows that are enough from one DN; negative for all
   */
  public static byte[] of(
      StatementRun run, MergePlan plan, List<ShardPlace> places, long rowLimit) {
    return of(
        plan,
        places,
        rowLimit,
        place -> PlaceText.render(run, plan.shardSql(), place.physicalSchema().name()));
  }

  /** A union of another form of the places' texts; {@code text} is called once for each. */
  public static byte[] of(
      MergePlan plan, List<ShardPlace> places, long rowLimit, Function<ShardPlace, byte[]> text) {
    if (places.size() == 1) {
      return text.apply(places.getFirst());
    }
    ByteArrayOutputStream sql = union(places.stream().map(text).toList());
    if (plan.aggregation().isEmpty()) {
      write(sql, orderBy(plan.sort()));
      if (rowLimit >= 0 && plan.distinct().isEmpty()) {
        write(sql, " LIMIT " + rowLimit);
      }
    }
    return sql.toByteArray();
  }

  /** The rows of all texts; one alone stays as it is. */
  public static byte[] all(List<byte[]> texts) {
    return texts.size() == 1 ? texts.getFirst() : union(texts).toByteArray();
  }

  private static ByteArrayOutputStream union(List<byte[]> texts) {
    ByteArrayOutputStream sql = new ByteArrayOutputStream(512);
    for (int i = 0; i < texts.size(); i++) {
      write(sql, i == 0 ? "(" : "\n) UNION ALL (");
      sql.writeBytes(texts.get(i));
    }
    write(sql, "\n)");
    return sql;
  }

  private static String orderBy(List<SortKey> keys) {
    StringBuilder sql = new StringBuilder();
    for (SortKey key : keys) {
      String direction = key.descending() ? " DESC" : "";
      if (key.key().weightColumn() >= 0 && key.key().ascii().isEmpty()) {
        append(sql, key.key().weightColumn() + 1 + direction);
      }
      append(sql, key.key().column() + 1 + direction);
    }
    return sql.toString();
  }

  private static void append(StringBuilder sql, String key) {
    sql.append(sql.isEmpty() ? " ORDER BY " : ", ").append(key);
  }

  private static void write(ByteArrayOutputStream sql, String text) {
    sql.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
  }
}
