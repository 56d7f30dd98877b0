package io.alrai.optimizer.parse;

import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.DdlStatement.UserName;
import io.alrai.optimizer.api.ProcedureChange;
import java.util.Optional;

/** CREATE, ALTER and DROP PROCEDURE behind their first words. */
final class ProcedureDdlParser {
  private final DdlCursor cursor;
  private boolean ofInvoker;

  ProcedureDdlParser(DdlCursor cursor) {
    this.cursor = cursor;
  }

  /** Whether the clauses at the cursor are followed by the word PROCEDURE; moves nothing. */
  boolean seesProcedure() {
    int start = cursor.position();
    try {
      definer();
      return cursor.sees("PROCEDURE");
    } finally {
      cursor.moveTo(start);
    }
  }

  private Optional<UserName> definer() {
    if (!cursor.take("DEFINER")) {
      return Optional.empty();
    }
    cursor.expectSymbol("=");
    return Optional.of(new AccountDdlParser(cursor).user());
  }

  /** What its body means is found out where it is made. */
  DdlStatement create() {
    Optional<UserName> definer = definer();
    int text = cursor.position();
    cursor.expect("PROCEDURE");
    boolean ifNotExists = cursor.take("IF", "NOT", "EXISTS");
    TableName name = cursor.tableName();
    int open = cursor.position();
    cursor.skipParentheses();
    String parameters = parameters(open + 1, cursor.position() - 1);
    characteristics();
    if (cursor.atEnd()) {
      throw cursor.syntaxError();
    }
    String body = cursor.rest();
    BodyStructure.read(cursor);
    return new DdlStatement.OnProcedure(
        cursor.sql(),
        name,
        new ProcedureChange.Create(
            ifNotExists, definer, cursor.slice(text, cursor.size()), parameters, body, ofInvoker));
  }

  /** A semicolon would end the statement for a mysqld. */
  private String parameters(int from, int to) {
    for (int i = from; i < to; i++) {
      if (cursor.seesSymbolAt(i, ";")) {
        cursor.moveTo(i);
        throw cursor.syntaxError();
      }
    }
    return cursor.slice(from, to);
  }

  DdlStatement alter() {
    TableName name = cursor.tableName();
    int start = cursor.position();
    characteristics();
    cursor.expectEnd();
    return new DdlStatement.OnProcedure(
        cursor.sql(), name, new ProcedureChange.Alter(cursor.slice(start, cursor.size())));
  }

  DdlStatement drop() {
    boolean ifExists = cursor.take("IF", "EXISTS");
    TableName name = cursor.tableName();
    cursor.expectEnd();
    return new DdlStatement.OnProcedure(cursor.sql(), name, new ProcedureChange.Drop(ifExists));
  }

  private void characteristics() {
    while (characteristic()) {}
  }

  private boolean characteristic() {
    if (cursor.take("COMMENT")) {
      cursor.string();
      return true;
    }
    if (cursor.sees("LANGUAGE") && !cursor.sees("LANGUAGE", "SQL")) {
      throw DdlParser.notSupported("LANGUAGE of a procedure other than SQL", "");
    }
    if (cursor.take("SQL", "SECURITY")) {
      ofInvoker = cursor.take("INVOKER");
      if (!ofInvoker) {
        cursor.expect("DEFINER");
      }
      return true;
    }
    return cursor.take("LANGUAGE", "SQL")
        || cursor.take("NOT", "DETERMINISTIC")
        || cursor.take("DETERMINISTIC")
        || cursor.take("CONTAINS", "SQL")
        || cursor.take("NO", "SQL")
        || cursor.take("READS", "SQL", "DATA")
        || cursor.take("MODIFIES", "SQL", "DATA");
  }
}
