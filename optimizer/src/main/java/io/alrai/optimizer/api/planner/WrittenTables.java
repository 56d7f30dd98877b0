package io.alrai.optimizer.api.planner;

import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Schema;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.Planned.WriteTraits;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.token.TokenCursor;
import io.alrai.optimizer.route.Planning;
import io.alrai.optimizer.route.insert.InsertTextParser;
import io.alrai.optimizer.syntax.Statement;
import io.alrai.optimizer.syntax.TableRef;
import java.util.List;
import java.util.regex.Pattern;

/** The tables whose rows a statement may change, by their names in it. Pure. */
final class WrittenTables {
  private static final Pattern QUERY =
      Pattern.compile("\\b(SELECT|TABLE)\\b", Pattern.CASE_INSENSITIVE);
  private static final Pattern DUPLICATES =
      Pattern.compile("\\bON\\s+DUPLICATE\\b", Pattern.CASE_INSENSITIVE);

  private WrittenTables() {}

  /** Those of a statement; of a join also those that it only reads. */
  static List<TableName> of(Statement tree, ShapedStatement statement, Planner.Context context) {
    return switch (tree) {
      case Statement.Select _ -> List.of();
      case Statement.Update update -> names(TableRef.named(update.tables()));
      case Statement.Delete delete -> names(TableRef.named(delete.from()));
      case Statement.InsertQuery insert -> names(List.of(insert.target()));
      case Statement.InsertValues _ -> {
        TokenCursor tokens =
            new TokenCursor(statement.shape(), context.ansiQuotes(), context.noBackslashEscapes());
        yield List.of(new InsertTextParser(tokens).parse().table());
      }
    };
  }

  private static List<TableName> names(List<TableRef.Named> tables) {
    return tables.stream()
        .map(table -> new TableName(table.schema().map(Identifier::name), table.name().name()))
        .toList();
  }

  /** What a name stands for; of a view all tables of its database. */
  static List<Table> named(TableName name, Planner.Context context) {
    Catalog catalog = context.catalog();
    String schema = name.schema().orElse(context.currentSchema());
    return catalog.view(schema, name.table()).isPresent()
        ? catalog.schema(schema).map(Schema::tables).stream()
            .flatMap(tables -> tables.values().stream())
            .toList()
        : catalog.table(schema, name.table()).stream().toList();
  }

  /** What a statement does besides changing its rows. */
  static WriteTraits traits(Planning planning) {
    Statement tree = planning.tree();
    List<TableName> tables = of(tree, planning.statement(), planning.context());
    if (tables.isEmpty()) {
      return WriteTraits.NONE;
    }
    String text = planning.text().text();
    boolean triggers =
        tables.stream()
            .flatMap(name -> named(name, planning.context()).stream())
            .flatMap(table -> table.triggers().stream())
            .anyMatch(trigger -> !trigger.tables().isEmpty());
    boolean queries =
        tree instanceof Statement.InsertQuery || tables.size() > 1 || QUERY.matcher(text).find();
    return new WriteTraits(queries, triggers, DUPLICATES.matcher(text).find());
  }
}
