package io.alrai.executor.fragment;

import java.util.List;

/**
 * What keeps rows that are written through a view WITH CHECK OPTION within its conditions: a view
 * over the table's columns, with these conditions, beside the table at each of its places. The
 * mysqlds check what they store there, after conversions, defaults and triggers.
 *
 * @param schema of the client's view
 * @param view the client's view
 * @param name what the view beside the table is called; no other definition has it
 * @param tableSchema the table's logical schema
 * @param table the table's name
 * @param columns all of the table's
 * @param condition over the table's columns, qualified with its name; read with backslash escapes
 * @param charset of the client that made the view
 * @param collation of its connection
 */
public record CheckView(
    String schema,
    String view,
    String name,
    String tableSchema,
    String table,
    List<String> columns,
    String condition,
    String charset,
    String collation) {
  /** How the names begin of the views that are made for one view of the clients'. */
  public static final String PREFIX = "alrai_check_";

  public CheckView {
    columns = List.copyOf(columns);
  }
}
