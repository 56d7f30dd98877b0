package io.alrai.optimizer.bind;

import java.util.Locale;

/**
 * A column of one relation of the statement.
 *
 * @param relation number of the relation
 * @param column its name in lower case
 */
public record ColumnRef(int relation, String column) {
  /** A column by name, whatever its case. */
  public static ColumnRef of(Relation relation, String column) {
    return new ColumnRef(relation.id(), column.toLowerCase(Locale.ROOT));
  }
}
