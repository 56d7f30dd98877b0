package io.alrai.optimizer.parse;

import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.TokenCursor;
import java.util.Optional;

/** SHOW: what the CN itself knows; the rest is answered from the shadow schemas. */
final class ShowParser {
  private final TokenCursor tokens;

  ShowParser(TokenCursor tokens) {
    this.tokens = tokens;
  }

  AdminStatement.Parsed parse() {
    tokens.expect("SHOW");
    if (tokens.atEnd()) {
      throw tokens.syntaxError();
    }
    if (tokens.take("WARNINGS")) {
      return diagnostics(false);
    }
    if (tokens.take("ERRORS")) {
      return diagnostics(true);
    }
    if (tokens.sees("COUNT")) {
      return count();
    }
    int start = tokens.position();
    boolean full = tokens.take("FULL");
    if (tokens.take("PROCESSLIST")) {
      tokens.expectEnd();
      return new AdminStatement.ShowProcesslist(full);
    }
    if (tokens.take("DDL")) {
      tokens.expectEnd();
      return new AdminStatement.ShowDdl(full);
    }
    if (tokens.sees("STORAGE") && !tokens.sees("STORAGE", "ENGINES")) {
      return storage();
    }
    tokens.moveTo(start);
    if (tokens.take("TOPOLOGY")) {
      tokens.expect("FROM");
      TableName table = tokens.tableName();
      tokens.expectEnd();
      return new AdminStatement.ShowTopology(table.schema(), table.table());
    }
    if (tokens.take("COLUMNAR")) {
      tokens.expect("INDEX");
      Optional<TableName> table =
          tokens.take("FROM") ? Optional.of(tokens.tableName()) : Optional.empty();
      tokens.expectEnd();
      return new AdminStatement.ShowColumnIndexes(table);
    }
    if (tokens.take("NODES")) {
      tokens.expectEnd();
      return new AdminStatement.ShowNodes();
    }
    if (tokens.take("TRACE")) {
      tokens.expectEnd();
      return new AdminStatement.ShowTrace();
    }
    if (tokens.take("TRANS")) {
      tokens.expectEnd();
      return new AdminStatement.ShowTransactions();
    }
    return new AdminStatement.FromShadow(tokens.template());
  }

  private AdminStatement.Parsed storage() {
    tokens.expect("STORAGE");
    boolean replicas = tokens.take("REPLICAS");
    if (tokens.sees("LIKE") || tokens.sees("WHERE")) {
      return new AdminStatement.FromShadow(tokens.template());
    }
    tokens.expectEnd();
    return new AdminStatement.ShowStorage(replicas);
  }

  private AdminStatement.Parsed count() {
    tokens.expect("COUNT");
    int open = tokens.position();
    if (!tokens.atEnd() && tokens.token(open - 1).end() != tokens.token(open).start()) {
      throw tokens.syntaxError();
    }
    tokens.expect(TokenKind.OPEN);
    if (!tokens.takeOperator("*")) {
      throw tokens.syntaxError();
    }
    tokens.expect(TokenKind.CLOSE);
    boolean errors = tokens.take("ERRORS");
    if (!errors) {
      tokens.expect("WARNINGS");
    }
    tokens.expectEnd();
    return new AdminStatement.ShowDiagnostics(errors, true, 0, Long.MAX_VALUE);
  }

  private AdminStatement.Parsed diagnostics(boolean errorsOnly) {
    TokenCursor.Limit limit = tokens.limit(Long.MAX_VALUE);
    tokens.expectEnd();
    return new AdminStatement.ShowDiagnostics(errorsOnly, false, limit.offset(), limit.count());
  }
}
