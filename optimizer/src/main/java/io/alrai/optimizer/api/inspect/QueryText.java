package io.alrai.optimizer.api.inspect;

import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.text.SyntaxException;
import io.alrai.optimizer.bind.TableUses;
import io.alrai.optimizer.syntax.Statement;
import io.alrai.optimizer.syntax.StatementParser;
import java.util.List;

/** What a query's text says without a catalog. Stateless. */
public final class QueryText {
  private QueryText() {}

  /** Whether it is a SELECT with a LIMIT of its own. */
  public static boolean isLimited(String sql, LexicalMode mode) {
    return parse(sql, mode) instanceof Statement.Select select
        && select.query().limit().isPresent();
  }

  /** The tables that it names; none in what is no query. */
  public static List<TableName> tables(String sql, LexicalMode mode) {
    Statement tree;
    try {
      tree = parse(sql, mode);
    } catch (SyntaxException e) {
      return List.of();
    }
    return TableUses.of(tree).tables().stream()
        .map(TableUses.Use::table)
        .map(table -> new TableName(table.schema().map(Identifier::name), table.name().name()))
        .toList();
  }

  private static Statement parse(String sql, LexicalMode mode) {
    return StatementParser.parse(sql, mode.ansiQuotes(), mode.noBackslashEscapes());
  }
}
