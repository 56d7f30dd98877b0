package io.alrai.optimizer.parse.ddl;

import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.DdlStatement.UserName;
import io.alrai.optimizer.api.DdlStatement.ViewVerb;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** CREATE VIEW, ALTER VIEW and DROP VIEW after their first words. */
final class ViewDdlParser {
  private static final List<String> ALGORITHMS = List.of("UNDEFINED", "MERGE", "TEMPTABLE");
  private static final List<String> SECURITIES = List.of("DEFINER", "INVOKER");

  private final DdlCursor cursor;

  ViewDdlParser(DdlCursor cursor) {
    this.cursor = cursor;
  }

  /** Whether the clauses at the cursor are followed by the word VIEW; moves nothing. */
  boolean seesView() {
    int start = cursor.position();
    try {
      cursor.take("OR", "REPLACE");
      Clauses.read(cursor);
      return cursor.sees("VIEW");
    } finally {
      cursor.moveTo(start);
    }
  }

  DdlStatement createView() {
    ViewVerb verb = cursor.take("OR", "REPLACE") ? ViewVerb.CREATE_OR_REPLACE : ViewVerb.CREATE;
    return view(verb);
  }

  DdlStatement alterView() {
    return view(ViewVerb.ALTER);
  }

  DdlStatement dropViews() {
    boolean ifExists = cursor.take("IF", "EXISTS");
    List<TableName> names = cursor.tableNames();
    if (!cursor.take("RESTRICT")) {
      cursor.take("CASCADE");
    }
    cursor.expectEnd();
    return new DdlStatement.DropViews(cursor.sql(), names, ifExists);
  }

  private DdlStatement view(ViewVerb verb) {
    Clauses clauses = Clauses.read(cursor);
    cursor.expect("VIEW");
    boolean ifNotExists = verb == ViewVerb.CREATE && cursor.take("IF", "NOT", "EXISTS");
    TableName name = cursor.tableName();
    int body = cursor.position();
    boolean renamed = cursor.seesSymbol("(");
    if (renamed) {
      cursor.identifiers();
    }
    cursor.expect("AS");
    int query = cursor.position();
    if (cursor.atEnd()) {
      throw cursor.syntaxError();
    }
    int end = queryEnd();
    return new DdlStatement.CreateView(
        cursor.sql(),
        name,
        verb,
        ifNotExists,
        clauses.algorithm,
        clauses.definer,
        clauses.security,
        cursor.slice(body, cursor.size()),
        new DdlStatement.ViewQuery(renamed, cursor.slice(query, end), end < cursor.size()));
  }

  /** Where WITH .. CHECK OPTION begins, or the end. */
  private int queryEnd() {
    int size = cursor.size();
    if (!cursor.seesAt(size - 2, "CHECK", "OPTION")) {
      return size;
    }
    if (cursor.seesAt(size - 3, "WITH")) {
      return size - 3;
    }
    boolean scoped =
        cursor.seesAt(size - 4, "WITH", "CASCADED") || cursor.seesAt(size - 4, "WITH", "LOCAL");
    return scoped ? size - 4 : size;
  }

  /** What may stand before the word VIEW. */
  private record Clauses(
      Optional<String> algorithm, Optional<UserName> definer, Optional<String> security) {
    static Clauses read(DdlCursor cursor) {
      Optional<String> algorithm = Optional.empty();
      if (cursor.take("ALGORITHM")) {
        cursor.takeSymbol("=");
        algorithm = word(cursor, ALGORITHMS);
      }
      Optional<UserName> definer = Optional.empty();
      if (cursor.take("DEFINER")) {
        cursor.expectSymbol("=");
        definer = Optional.of(new AccountDdlParser(cursor).user());
      }
      Optional<String> security = Optional.empty();
      if (cursor.take("SQL", "SECURITY")) {
        security = word(cursor, SECURITIES);
      }
      return new Clauses(algorithm, definer, security);
    }

    private static Optional<String> word(DdlCursor cursor, List<String> allowed) {
      if (allowed.stream().noneMatch(cursor::sees)) {
        throw cursor.syntaxError();
      }
      return Optional.of(cursor.identifier().toUpperCase(Locale.ROOT));
    }
  }
}
