package io.alrai.optimizer.parse;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.AdminStatement.ColumnValue;
import io.alrai.optimizer.api.AdminStatement.FileFormat;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.FileMark;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.FunctionCalls;
import io.alrai.optimizer.api.token.HexText;
import io.alrai.optimizer.api.token.TemplateWriter;
import io.alrai.optimizer.api.token.TokenCursor;
import io.alrai.optimizer.api.token.VariableNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** LOAD DATA LOCAL INFILE; MySQL manual, "LOAD DATA Statement". */
final class LoadDataParser {
  private final TokenCursor tokens;
  private final Map<Integer, String> functions;

  private String charset = "";
  private FileMark fieldsTerminatedBy = FileMark.of("\t");
  private FileMark enclosedBy = FileMark.of("");
  private boolean optionallyEnclosed;
  private FileMark escapedBy;
  private FileMark linesStartingBy = FileMark.of("");
  private FileMark linesTerminatedBy = FileMark.of("\n");
  private long ignoreLines;

  /**
   * At the beginning of a statement.
   *
   * @param functions what stands for names: {@link FunctionCalls#names}
   * @param noBackslashEscapes sql_mode NO_BACKSLASH_ESCAPES: nothing is an escape unless given
   */
  LoadDataParser(TokenCursor tokens, Map<Integer, String> functions, boolean noBackslashEscapes) {
    this.tokens = tokens;
    this.functions = functions;
    this.escapedBy = FileMark.of(noBackslashEscapes ? "" : "\\");
  }

  AdminStatement.Parsed parse() {
    tokens.expect("LOAD");
    if (tokens.sees("XML") || tokens.sees("INDEX")) {
      throw AdminParser.notSupported("LOAD " + tokens.identifier(), "");
    }
    tokens.expect("DATA");
    if (!tokens.take("LOW_PRIORITY")) {
      tokens.take("CONCURRENT");
    }
    if (!tokens.take("LOCAL")) {
      if (!tokens.sees("INFILE")) {
        throw tokens.syntaxError();
      }
      throw AdminParser.notSupported(
          "LOAD DATA INFILE", ": use LOAD DATA LOCAL INFILE, the client sends the file then");
    }
    tokens.expect("INFILE");
    String file = tokens.string();
    String duplicates = "";
    if (tokens.take("REPLACE")) {
      duplicates = "REPLACE";
    } else if (tokens.take("IGNORE")) {
      duplicates = "IGNORE";
    }
    tokens.expect("INTO", "TABLE");
    TableName table = tokens.tableName();
    if (tokens.sees("PARTITION")) {
      throw AdminParser.notSupported("LOAD DATA ... PARTITION", "");
    }
    if (tokens.take("CHARACTER", "SET") || tokens.take("CHARSET")) {
      charset = tokens.identifierOrString().toLowerCase(Locale.ROOT);
    }
    fields();
    lines();
    List<String> columns = columns();
    List<ColumnValue> set = assignments();
    tokens.expectEnd();
    return new AdminStatement.LoadDataLocal(file, table, duplicates, format(), columns, set);
  }

  private FileFormat format() {
    return new FileFormat(
        charset,
        fieldsTerminatedBy,
        enclosedBy,
        optionallyEnclosed,
        escapedBy,
        linesStartingBy,
        linesTerminatedBy,
        ignoreLines);
  }

  private void fields() {
    if (!tokens.take("FIELDS") && !tokens.take("COLUMNS")) {
      return;
    }
    boolean any = false;
    while (true) {
      if (tokens.take("TERMINATED")) {
        tokens.expect("BY");
        fieldsTerminatedBy = mark();
      } else if (tokens.sees("OPTIONALLY") || tokens.sees("ENCLOSED")) {
        optionallyEnclosed = tokens.take("OPTIONALLY");
        tokens.expect("ENCLOSED", "BY");
        enclosedBy = oneCharacter();
      } else if (tokens.take("ESCAPED")) {
        tokens.expect("BY");
        escapedBy = oneCharacter();
      } else if (any) {
        return;
      } else {
        throw tokens.syntaxError();
      }
      any = true;
    }
  }

  private void lines() {
    if (tokens.take("LINES")) {
      boolean any = false;
      while (!any || tokens.sees("STARTING") || tokens.sees("TERMINATED")) {
        if (tokens.take("STARTING")) {
          tokens.expect("BY");
          linesStartingBy = mark();
        } else {
          tokens.expect("TERMINATED", "BY");
          linesTerminatedBy = mark();
        }
        any = true;
      }
    }
    if (tokens.take("IGNORE")) {
      ignoreLines = tokens.number();
      if (!tokens.take("ROWS")) {
        tokens.expect("LINES");
      }
    }
  }

  private FileMark mark() {
    if (tokens.kind() == TokenKind.HEX) {
      String written = tokens.token(tokens.position()).text();
      tokens.expect(TokenKind.HEX);
      return new FileMark(HexText.latin1(written), true);
    }
    return FileMark.of(tokens.string());
  }

  private FileMark oneCharacter() {
    FileMark mark = mark();
    if (mark.text().length() > 1) {
      throw new AlraiException(
          ErrorCode.ER_WRONG_FIELD_TERMINATORS,
          "Field separator argument is not what is expected; check the manual");
    }
    return mark;
  }

  private List<String> columns() {
    List<String> columns = new ArrayList<>();
    if (!tokens.take(TokenKind.OPEN) || tokens.take(TokenKind.CLOSE)) {
      return columns;
    }
    do {
      if (tokens.kind() == TokenKind.USER_VARIABLE) {
        String variable = tokens.token(tokens.position()).text();
        tokens.expect(TokenKind.USER_VARIABLE);
        columns.add("@" + VariableNames.plain(variable.substring(1)));
      } else {
        columns.add(column());
      }
    } while (tokens.take(TokenKind.COMMA));
    tokens.expect(TokenKind.CLOSE);
    return columns;
  }

  /** A column's name; a table in front of it is left out. */
  private String column() {
    String name = tokens.identifier();
    while (tokens.take(TokenKind.DOT)) {
      name = tokens.identifier();
    }
    return name;
  }

  private List<ColumnValue> assignments() {
    List<ColumnValue> assignments = new ArrayList<>();
    if (!tokens.take("SET")) {
      return assignments;
    }
    do {
      String column = column();
      if (!tokens.takeOperator("=") && !tokens.takeOperator(":=")) {
        throw tokens.syntaxError();
      }
      int from = tokens.position();
      int to = tokens.endOfItem(from);
      tokens.moveTo(to);
      if (to == from) {
        throw tokens.syntaxError();
      }
      for (int i = from; i < to; i++) {
        if (tokens.seesAt(i, "SELECT") || tokens.seesAt(i, "TABLE")) {
          throw AdminParser.notSupported(
              "LOAD DATA ... SET with a subquery", ": load the rows, then UPDATE them");
        }
      }
      // User variables may be the file's: they stay as text.
      String sql = FunctionCalls.named(tokens, from, to, functions);
      assignments.add(new ColumnValue(column, TemplateWriter.text(sql)));
    } while (tokens.take(TokenKind.COMMA));
    return assignments;
  }
}
