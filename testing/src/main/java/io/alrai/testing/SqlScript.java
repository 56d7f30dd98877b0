package io.alrai.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A script of statements for two servers. A statement ends with a semicolon at a line's end. Lines
 * before a statement:
 *
 * <pre>
 * -- text            a comment
 * --any order        its rows have no order
 * --with 1|'x'|NULL  values of its parameters: it is prepared and executed with them
 * --as ann           this and all that follow are sent by this user, without a password; root first
 * --as ann anew      the same on a new connection
 * </pre>
 *
 * {@code /*alrai clause *}{@code /} is a clause that only Alrai gets.
 *
 * @param name for reports
 * @param statements in order
 */
public record SqlScript(String name, List<Statement> statements) {
  /** What scripts call the schema that they run in. */
  public static final String SCHEMA = "script";

  public SqlScript {
    statements = List.copyOf(statements);
  }

  /** A copy in a schema of another name. */
  public SqlScript in(String schema) {
    return changed(sql -> DatabaseNames.inStatement(sql, SCHEMA, schema), UnaryOperator.identity());
  }

  /** A copy with other names for what it declares, its senders too. */
  public SqlScript with(HostileNames names) {
    return changed(names::in, names::name);
  }

  private SqlScript changed(UnaryOperator<String> texts, UnaryOperator<String> users) {
    return new SqlScript(
        name,
        statements.stream()
            .map(each ->
                new Statement(
                    each.line(),
                    texts.apply(each.sql()),
                    each.anyOrder(),
                    each.parameters(),
                    new Sender(users.apply(each.sender().user()), each.sender().login())))
            .toList());
  }

  /** Whether its statements come in several character sets. */
  public boolean changesCharset() {
    return statements.stream().anyMatch(each -> each.sql().startsWith("SET NAMES "));
  }

  /** Whether it has foreign keys, of which sentences are cut where names are long. */
  public boolean refers() {
    return statements.stream().anyMatch(each -> each.sql().contains("REFERENCES"));
  }

  /** Whether it has accounts of its own. */
  public boolean grants() {
    return statements.stream().anyMatch(each -> each.sql().startsWith("GRANT "));
  }

  /**
   * One statement.
   *
   * @param line where it starts in the script
   * @param sql as written, without the semicolon
   * @param anyOrder whether the order of its rows means nothing
   * @param parameters values of its question marks, empty for NULL
   * @param sender who sends it
   */
  public record Statement(
      int line, String sql, boolean anyOrder, List<Optional<Object>> parameters, Sender sender) {
    public Statement {
      parameters = List.copyOf(parameters);
    }

    /** For a plain mysqld: the clause stays a comment. */
    public String plain() {
      return sql;
    }

    /** For Alrai. */
    public String alrai() {
      return sql.replaceAll("(?s)/\\*alrai\\s+(.*?)\\*/", "$1");
    }
  }

  /**
   * Who sends a statement.
   *
   * @param login a number of the connection; another one is a new login
   */
  public record Sender(String user, int login) {
    /** With the connection that a script starts with. */
    public static final Sender ROOT = new Sender("root", 0);
  }

  /** Reads a script. */
  public static SqlScript parse(String name, String text) {
    List<Statement> statements = new ArrayList<>();
    StringBuilder sql = new StringBuilder();
    boolean anyOrder = false;
    List<Optional<Object>> parameters = List.of();
    Sender sender = Sender.ROOT;
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
        if (stripped.startsWith("--as ")) {
          String user = stripped.substring("--as ".length()).replace(" anew", "");
          sender = new Sender(user, stripped.endsWith(" anew") ? line : 0);
          continue;
        }
        if (stripped.startsWith("--with ")) {
          parameters = parameters(stripped.substring("--with ".length()));
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
        statements.add(
            new Statement(
                start, whole.substring(0, whole.length() - 1), anyOrder, parameters, sender));
        sql.setLength(0);
        anyOrder = false;
        parameters = List.of();
      } else {
        sql.append('\n');
      }
    }
    if (!sql.isEmpty()) {
      throw new IllegalArgumentException(name + ": no semicolon behind line " + start);
    }
    return new SqlScript(name, statements);
  }

  private static List<Optional<Object>> parameters(String text) {
    List<Optional<Object>> parameters = new ArrayList<>();
    for (String value : text.split("\\|", -1)) {
      if (value.equals("NULL")) {
        parameters.add(Optional.empty());
      } else if (value.startsWith("'")) {
        parameters.add(Optional.of(value.substring(1, value.length() - 1).replace("''", "'")));
      } else if (value.contains(".")) {
        parameters.add(Optional.of(Double.valueOf(value)));
      } else {
        parameters.add(Optional.of(Long.valueOf(value)));
      }
    }
    return parameters;
  }
}
