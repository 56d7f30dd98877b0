package io.alrai.optimizer.parse.ddl;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.RoutineKind;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.DdlStatement.UserName;
import io.alrai.optimizer.api.RoutineChange;
import io.alrai.optimizer.api.TriggerBody;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** CREATE, ALTER and DROP of procedures and functions after their first words. */
final class RoutineDdlParser {
  /** Words that go on with a type. */
  private static final List<String> OF_TYPES =
      List.of(
          "UNSIGNED",
          "SIGNED",
          "ZEROFILL",
          "PRECISION",
          "VARYING",
          "VARCHAR",
          "VARCHARACTER",
          "VARBINARY",
          "CHARACTER",
          "CHAR",
          "ASCII",
          "UNICODE",
          "BYTE",
          "BINARY");

  private final DdlCursor cursor;
  private boolean ofInvoker;

  RoutineDdlParser(DdlCursor cursor) {
    this.cursor = cursor;
  }

  /** What the word after the clauses at the cursor says is made; moves nothing. */
  Optional<RoutineKind> seen() {
    int start = cursor.position();
    try {
      new AccountDdlParser(cursor).definer();
      return Arrays.stream(RoutineKind.values())
          .filter(kind -> cursor.sees(kind.name()))
          .findFirst();
    } finally {
      cursor.moveTo(start);
    }
  }

  /** What its body means is found out where it is made. */
  DdlStatement create(RoutineKind kind) {
    Optional<UserName> definer = new AccountDdlParser(cursor).definer();
    int text = cursor.position();
    cursor.expect(kind.name());
    boolean ifNotExists = cursor.take("IF", "NOT", "EXISTS");
    TableName name = cursor.tableName();
    if (cursor.sees("RETURNS")) {
      throw DdlParser.notSupported("CREATE FUNCTION of a loadable function", "");
    }
    String parameters = inParentheses();
    String returns = "";
    if (kind == RoutineKind.FUNCTION) {
      cursor.expect("RETURNS");
      int type = cursor.position();
      type();
      returns = cursor.slice(type, cursor.position());
    }
    characteristics();
    if (cursor.atEnd()) {
      throw cursor.syntaxError();
    }
    String body = cursor.rest();
    RoutineChange change =
        switch (kind) {
          case PROCEDURE -> {
            BodyStructure.read(cursor);
            String written = cursor.slice(text, cursor.size());
            yield new RoutineChange.CreateProcedure(
                ifNotExists, definer, written, parameters, body, ofInvoker);
          }
          case FUNCTION -> {
            Optional<TriggerBody> local = local();
            String written = cursor.slice(text, cursor.size());
            yield new RoutineChange.CreateFunction(
                ifNotExists, definer, written, parameters, returns, body, local, ofInvoker);
          }
        };
    return new DdlStatement.OnRoutine(cursor.sql(), kind, name, change);
  }

  /** What a function's body names, if a server can run it that has only its parameters. */
  private Optional<TriggerBody> local() {
    int start = cursor.position();
    try {
      return Optional.of(TriggerBodyReader.readFunction(cursor));
    } catch (AlraiException e) {
      if (!e.is(ErrorCode.ER_NOT_SUPPORTED_YET)) {
        throw e;
      }
      cursor.moveTo(start);
      BodyStructure.read(cursor);
      return Optional.empty();
    }
  }

  /** What a function returns; whether there is such a type the mysqld says. */
  private void type() {
    if (cursor.atEnd() || !cursor.isNameAt(cursor.position())) {
      throw cursor.syntaxError();
    }
    cursor.moveTo(cursor.position() + 1);
    boolean more = true;
    while (more) {
      if (cursor.seesSymbolAt(cursor.position(), "(")) {
        inParentheses();
      } else if (cursor.take("CHARACTER", "SET")
          || cursor.take("CHAR", "SET")
          || cursor.take("CHARSET")
          || cursor.take("COLLATE")) {
        cursor.nameOrString();
      } else {
        more = OF_TYPES.stream().anyMatch(cursor::take);
      }
    }
  }

  /** What stands between them. */
  private String inParentheses() {
    int open = cursor.position();
    cursor.skipParentheses();
    return withoutSemicolon(open + 1, cursor.position() - 1);
  }

  /** A semicolon would end the statement for a mysqld. */
  private String withoutSemicolon(int from, int to) {
    for (int i = from; i < to; i++) {
      if (cursor.seesSymbolAt(i, ";")) {
        cursor.moveTo(i);
        throw cursor.syntaxError();
      }
    }
    return cursor.slice(from, to);
  }

  DdlStatement alter(RoutineKind kind) {
    TableName name = cursor.tableName();
    int start = cursor.position();
    characteristics();
    cursor.expectEnd();
    return new DdlStatement.OnRoutine(
        cursor.sql(),
        kind,
        name,
        new RoutineChange.Alter(cursor.slice(start, cursor.size()), ofInvoker));
  }

  DdlStatement drop(RoutineKind kind) {
    boolean ifExists = cursor.take("IF", "EXISTS");
    TableName name = cursor.tableName();
    cursor.expectEnd();
    return new DdlStatement.OnRoutine(cursor.sql(), kind, name, new RoutineChange.Drop(ifExists));
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
      throw DdlParser.notSupported("LANGUAGE of a routine other than SQL", "");
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
