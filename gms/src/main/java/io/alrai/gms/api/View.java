package io.alrai.gms.api;

import java.util.List;

/**
 * A view: a query with a name. Its texts are as a mysqld writes them down (SHOW CREATE VIEW without
 * a current schema): names in backquotes and qualified, strings in single quotes with backslash
 * escapes, whatever the settings of the session that made it.
 *
 * @param schema its schema's name
 * @param name compared with regard to case
 * @param columns names of its columns, in order
 * @param renamed whether {@code columns} rename what the query gives
 * @param query the SELECT
 * @param definition the whole CREATE VIEW statement
 * @param definer the account {@code user@host} in whose name it is read; empty for the invoker's
 * @param checked whether it has a WITH CHECK OPTION
 * @param updatable whether a mysqld would take writes through it
 * @param charset the character set of the client that made it
 * @param collation the collation of its connection
 */
public record View(
    String schema,
    String name,
    List<String> columns,
    boolean renamed,
    String query,
    String definition,
    String definer,
    boolean checked,
    boolean updatable,
    String charset,
    String collation) {
  public View {
    columns = List.copyOf(columns);
  }

  /** Whether its CHECK OPTION is one for the views below it, too. */
  public boolean checksCascaded() {
    return checked && !definition.endsWith(" WITH LOCAL CHECK OPTION");
  }
}
