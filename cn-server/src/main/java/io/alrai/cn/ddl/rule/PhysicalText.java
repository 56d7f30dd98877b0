package io.alrai.cn.ddl.rule;

import io.alrai.cn.ddl.job.TableDefinition;
import io.alrai.cn.ddl.job.TableText;
import io.alrai.common.sql.Sql;
import java.util.List;
import java.util.regex.Pattern;

/** From a logical table's definition to the statements that make its partitions, and back. */
public final class PhysicalText {
  /** A mysqld wants the columns by which it partitions itself in every unique key. */
  private static final Pattern OWN_PARTITIONS = Pattern.compile("^\\s?/\\*!\\d+ PARTITION BY");

  private PhysicalText() {}

  /**
   * The statements that make a partition. A table without a primary key gets an invisible one.
   *
   * @param number part of a trigger's name; unique
   */
  public static List<Sql> create(TableDefinition definition, String table, long number) {
    String text = definition.createText();
    if (definition.primaryKey().isPresent()) {
      return List.of(Sql.client(text));
    }
    int firstColumn = TableText.lines(text).getFirst().length() + 1;
    return List.of(
        Sql.client(text.substring(0, firstColumn))
            .written(ImplicitKey.line(text))
            .written(text.substring(firstColumn)),
        ImplicitKey.trigger(table, number));
  }

  /** Whether a mysqld partitions the table itself. */
  public static boolean isPartitioned(String createText) {
    return TableText.lines(createText).stream()
        .anyMatch(line -> OWN_PARTITIONS.matcher(line).find());
  }

  /** The definition without the implicit key, to be compared with the shadow's. */
  public static TableText logical(String physicalCreateText) {
    StringBuilder kept = new StringBuilder();
    for (String line : TableText.lines(physicalCreateText)) {
      if (!ImplicitKey.isLine(line.strip())) {
        kept.append(line).append('\n');
      }
    }
    return TableText.of(kept.toString());
  }
}
