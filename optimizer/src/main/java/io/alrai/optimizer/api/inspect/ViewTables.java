package io.alrai.optimizer.api.inspect;

import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.View;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.bind.TableUses;
import io.alrai.optimizer.syntax.StatementParser;
import io.alrai.optimizer.syntax.TableRef;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The tables that a view reads, by way of other views too. Pure. */
public final class ViewTables {
  private ViewTables() {}

  /**
   * A table that the view reads.
   *
   * @param alias that the query gives it
   */
  public record Read(Table table, Optional<String> alias) {}

  /** Each table once for each alias; none for those that are gone. */
  public static List<Read> of(Catalog catalog, View view) {
    Set<Read> found = new LinkedHashSet<>();
    collect(catalog, view, new ArrayList<>(), found);
    return List.copyOf(found);
  }

  private static void collect(Catalog catalog, View view, List<View> path, Set<Read> found) {
    if (path.contains(view)) {
      return;
    }
    path.add(view);
    for (TableUses.Use use :
        TableUses.of(StatementParser.parse(view.query(), false, false)).tables()) {
      TableRef.Named named = use.table();
      String schema = named.schema().map(Identifier::name).orElse("");
      catalog
          .table(schema, named.name().name())
          .ifPresent(table -> found.add(new Read(table, named.alias().map(Identifier::name))));
      catalog
          .view(schema, named.name().name())
          .ifPresent(inner -> collect(catalog, inner, path, found));
    }
    path.removeLast();
  }
}
