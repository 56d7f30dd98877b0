package io.alrai.optimizer.bind;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.text.Identifier;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Table names to catalog tables.
 *
 * @param currentSchema empty for none
 */
public record Names(Catalog catalog, String currentSchema) {
  private static final Set<String> SYSTEM_SCHEMAS =
      Set.of("information_schema", "performance_schema", "mysql", "sys");

  /** Whether the name is of a schema that every mysqld has of its own. */
  public boolean isSystem(Optional<Identifier> schema) {
    String name = schema.map(Identifier::name).orElse(currentSchema);
    return SYSTEM_SCHEMAS.contains(name.toLowerCase(Locale.ROOT));
  }

  /**
   * The table of that name.
   *
   * @throws AlraiException 1046 without a schema, 1049 for an unknown one, 1146 for an unknown
   *     table
   */
  public Table table(Optional<Identifier> schema, Identifier name) {
    String schemaName = schema.map(Identifier::name).orElse(currentSchema);
    if (schemaName.isEmpty()) {
      throw new AlraiException(ErrorCode.ER_NO_DB_ERROR, "No database selected");
    }
    if (catalog.schema(schemaName).isEmpty()) {
      throw new AlraiException(ErrorCode.ER_BAD_DB_ERROR, "Unknown database '" + schemaName + "'");
    }
    return catalog
        .table(schemaName, name.name())
        .orElseThrow(() ->
            new AlraiException(
                ErrorCode.ER_NO_SUCH_TABLE,
                "Table '" + schemaName + "." + name.name() + "' doesn't exist"));
  }

  /** A column's name as one compares it. */
  static String lower(String column) {
    return column.toLowerCase(Locale.ROOT);
  }
}
