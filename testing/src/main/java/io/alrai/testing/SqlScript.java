package io.alrai.testing;

import java.util.ArrayList;
import java.util.List;

/**
 * A script of statements for two servers. A statement ends with a semicolon at a line's end. {@code
 * -- text} lines are comments; {@code --any order} before a statement means that its rows have no
 * order; {@code /*alrai clause *}{@code /} is a clause that only Alrai gets.
 *
 * @param name for reports
 * @param statements in order
 */
public record SqlScript(String name, List<Statement> statements) {
  /** Copies the list. */
  public SqlScript {
    statements = List.copyOf(statements);
  }

  /**
   * One statement.
   *
   * @param line where it starts in the script
   * @param sql as written, without the semicolon
   * @param anyOrder whether the order of its rows means nothing
   */
  public record Statement(int line, String sql, boolean anyOrder) {
    /** For a plain mysqld: the clause stays a comment. */
    public String plain() {
      return sql;
    }

    /** For Alrai. */
    public String alrai() {
      return sql.replaceAll("(?s)/\\*alrai\\s+(.*?)\\*/", "$1");
    }
  }

  /** Reads a script. */
  public static SqlScript parse(String name, String text) {
    List<Statement> statements = new ArrayList<>();
    StringBuilder sql = new StringBuilder();
    boolean anyOrder = false;
    int line = 0;
    int start = 0;
    for (String raw : text.split("\n", -1)) {
      line++;
      String stripped = raw.strip();
      if (sql.isEmpty()) {
        if (stripped.equals("--any order")) {
          anyOrder = true;
          continue;
        }
        if (stripped.isEmpty() || stripped.startsWith("--")) {
          continue;
        }
        start = line;
      }
      sql.append(raw);
      if (stripped.endsWith(";")) {
        String whole = sql.toString().strip();
        statements.add(new Statement(start, whole.substring(0, whole.length() - 1), anyOrder));
        sql.setLength(0);
        anyOrder = false;
      } else {
        sql.append('\n');
      }
    }
    if (!sql.isEmpty()) {
      throw new IllegalArgumentException(name + ": no semicolon behind line " + start);
    }
    return new SqlScript(name, statements);
  }
}
