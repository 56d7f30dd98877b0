package io.alrai.optimizer.parse;

import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.NamedLocks;
import io.alrai.optimizer.api.token.SystemTables;
import io.alrai.optimizer.api.token.TemplateWriter;
import io.alrai.optimizer.api.token.TokenCursor;
import io.alrai.optimizer.api.token.VariableNames;
import java.util.List;
import java.util.Optional;

/** A query over the server's own tables, by its tokens. */
final class SystemQuery {
  private final TokenCursor tokens;
  private final Planner.Context context;

  SystemQuery(TokenCursor tokens, Planner.Context context) {
    this.tokens = tokens;
    this.context = context;
  }

  /** A query is administrative when all its tables are the server's own. */
  Optional<AdminStatement.Parsed> parse() {
    if (!SystemTables.areAllOf(tokens, context.currentSchema())) {
      return Optional.empty();
    }
    refuseAssignment();
    if (NamedLocks.called(tokens)) {
      throw NamedLocks.refusal();
    }
    int into = into();
    return Optional.of(
        into < 0 ? new AdminStatement.FromShadow(tokens.template()) : queryInto(into));
  }

  private void refuseAssignment() {
    for (int i = 0; i < tokens.size(); i++) {
      if (AdminParser.isAssignment(tokens, i)) {
        throw AdminParser.notSupported("':=' here", ": use SET @name = ..");
      }
    }
  }

  /** Where INTO stands outside of parentheses, or -1. */
  private int into() {
    int depth = 0;
    for (int i = 0; i < tokens.size(); i++) {
      depth += tokens.kindAt(i) == TokenKind.OPEN ? 1 : 0;
      depth -= tokens.kindAt(i) == TokenKind.CLOSE ? 1 : 0;
      if (depth == 0 && tokens.token(i).isWord("INTO") && tokens.kindAt(i - 1) != TokenKind.DOT) {
        return i;
      }
    }
    return -1;
  }

  private AdminStatement.Parsed queryInto(int into) {
    if (tokens.seesAt(into + 1, "OUTFILE") || tokens.seesAt(into + 1, "DUMPFILE")) {
      throw AdminParser.notSupported(
          "SELECT ... INTO OUTFILE", "; read the result with the client and write the file there");
    }
    tokens.moveTo(into);
    List<String> names = VariableNames.ofInto(tokens);
    TemplateWriter query = new TemplateWriter(tokens).add(0, into).add(" ");
    if (!tokens.atEnd()) {
      query.add(tokens.position(), tokens.size());
    }
    return new AdminStatement.FromShadow(query.template(), names);
  }
}
