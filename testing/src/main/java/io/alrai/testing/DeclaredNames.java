package io.alrai.testing;

import io.alrai.optimizer.api.text.Words;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * The names that statements give to what they make: databases, tables, columns, indexes,
 * constraints, views, routines with their parameters and variables, triggers, accounts, aliases.
 * What a script calls like something of MySQL's is left out.
 */
final class DeclaredNames {
  private static final Set<String> MADE =
      Set.of("TABLE", "VIEW", "PROCEDURE", "FUNCTION", "TRIGGER", "INDEX", "DATABASE", "SCHEMA");
  private static final Set<String> MADE_ACCOUNTS = Set.of("USER", "ROLE");

  /** What an item of a list of columns begins with that is no column. */
  private static final Set<String> NO_COLUMN =
      Set.of(
          "PRIMARY",
          "UNIQUE",
          "KEY",
          "INDEX",
          "CONSTRAINT",
          "FOREIGN",
          "CHECK",
          "FULLTEXT",
          "SPATIAL",
          "LIKE",
          "SELECT",
          "TABLE",
          "WITH",
          "VALUES",
          "IN",
          "OUT",
          "INOUT");

  /** After these, or after the COLUMN that follows them, a name is declared. */
  private static final Set<String> BEFORE_NAME =
      Set.of(
          "AS",
          "WITH",
          "RECURSIVE",
          "ADD",
          "CHANGE",
          "COLUMN",
          "TO",
          "KEY",
          "INDEX",
          "CONSTRAINT",
          "SAVEPOINT",
          "DECLARE",
          "PREPARE",
          "PARTITION",
          "IN",
          "OUT",
          "INOUT",
          "WINDOW",
          "HANDLER",
          "INTO");

  /** Words that are no names in scripts, though they might be. */
  private static final Set<String> OF_MYSQL =
      Set.of(
          ("ACTION ADMIN AFTER ALGORITHM ALWAYS ANY ASCII AT AUTO_INCREMENT AVG BEGIN BIT BOOL BOOLEAN"
                  + " BROADCAST BTREE CASCADED CHAIN CHARSET CLOSE CLUSTERED COALESCE COLUMNAR"
                  + " COLUMNS COMMENT COMMIT COMMITTED COMPONENT CONCAT CONSISTENT COUNT CURRENT"
                  + " DATA DATE DATETIME DAY DEFINER DISABLE DO DUMPFILE DUPLICATE ENABLE END"
                  + " ENFORCED ENGINE ENGINES ENUM ERROR EXECUTE EXPANSION FIELDS FILE FIRST"
                  + " FIXED FLUSH FOLLOWING FOLLOWS FORMAT FULL GEOMETRY GLOBAL GRANTS"
                  + " HANDLER HASH HOST HOUR IDENTIFIED INSTANCE INVISIBLE INVOKER ISOLATION"
                  + " JSON LANGUAGE LAST LEVEL LIST LOCAL LOGS MAX MEMORY MERGE MICROSECOND MIN"
                  + " MINUTE MODE MODIFY MONTH NAMES NATIONAL NCHAR NEW NEXT NO NOW NUMBER NVARCHAR"
                  + " OFFSET OLD ONLY OPEN PARTITIONS PASSWORD POINT PRECEDES PRECEDING"
                  + " PRIVILEGES PROCESS PROCESSLIST QUARTER QUERY QUICK READ REPEATABLE ROLE ROLLBACK"
                  + " ROLLUP ROWS SAVEPOINT SECOND SECURITY SERIALIZABLE SESSION SHARE SIGNED SIMPLE"
                  + " SINGLE SKIP SNAPSHOT START STATUS SUBJECT SUM SYS TABLES TEMPORARY TEMPTABLE"
                  + " TEXT TIME TIMESTAMP TRADITIONAL TRANSACTION TREE TRIGGERS TRUNCATE TYPE UNBOUNDED"
                  + " UNCOMMITTED UNDEFINED UNKNOWN USER USER_RESOURCES VALUE VARIABLES VIEW VISIBLE"
                  + " WARNINGS WEEK WORK XA YEAR MYSQL INFORMATION_SCHEMA PERFORMANCE_SCHEMA ROOT"
                  + " NONE DEFAULT ALL PERSIST MYSQL_NATIVE_PASSWORD CACHING_SHA2_PASSWORD"
                  + " LOCALHOST INNODB MYISAM LINESTRING POLYGON GEOMETRYCOLLECTION BINARY UTF8MB4")
              .split(" "));

  private final List<SqlToken> tokens;
  private final Set<String> names = new TreeSet<>();
  private final Set<String> accounts = new TreeSet<>();
  private final Set<String> functions = new TreeSet<>();

  private DeclaredNames(String sql) {
    this.tokens =
        SqlToken.of(sql).stream().filter(token -> token.kind() != SqlToken.Kind.BLANK).toList();
  }

  /** The names that a statement declares. */
  static DeclaredNames of(String sql) {
    DeclaredNames declared = new DeclaredNames(sql);
    declared.read();
    return declared;
  }

  /** All but those of accounts. */
  Set<String> names() {
    return names;
  }

  /** Users and roles. */
  Set<String> accounts() {
    return accounts;
  }

  /** Those of {@link #names} that functions have. */
  Set<String> functions() {
    return functions;
  }

  private void read() {
    if (is(0, "GRANT") || is(0, "REVOKE")) {
      for (int i = 1; i < tokens.size(); i++) {
        if (is(i, "TO") || is(i, "FROM")) {
          accounts(i + 1);
        }
      }
      return;
    }
    for (int i = 0; i < tokens.size(); i++) {
      SqlToken token = tokens.get(i);
      if (token.is("CREATE")) {
        made(i + 1);
      } else if (BEFORE_NAME.contains(token.text().toUpperCase(Locale.ROOT))) {
        name(i + 1);
      } else if (token.is(":") && i > 0) {
        name(i - 1);
      }
      if (token.is("DECLARE") || token.is("CHANGE") || token.is("RENAME")) {
        // a second name of the same statement
        name(i + 2);
        name(i + 3);
      }
    }
  }

  private void made(int from) {
    for (int i = from; i < Math.min(tokens.size(), from + 25); i++) {
      String word = tokens.get(i).text().toUpperCase(Locale.ROOT);
      if (MADE_ACCOUNTS.contains(word)) {
        accounts(past(i + 1));
        return;
      }
      if (MADE.contains(word)) {
        int name = past(i + 1);
        if (is(name + 1, ".")) {
          name += 2;
        }
        name(name);
        if (word.equals("FUNCTION") && name < tokens.size()) {
          functions.add(tokens.get(name).content());
        }
        if (is(name + 1, "(")) {
          items(name + 2);
        }
        return;
      }
    }
  }

  private int past(int at) {
    int next = at;
    while (is(next, "IF") || is(next, "NOT") || is(next, "EXISTS")) {
      next++;
    }
    return next;
  }

  private boolean is(int at, String word) {
    return at < tokens.size() && tokens.get(at).is(word);
  }

  /** Columns or parameters, up to the parenthesis that ends them. */
  private void items(int from) {
    int depth = 1;
    boolean first = true;
    for (int i = from; i < tokens.size() && depth > 0; i++) {
      SqlToken token = tokens.get(i);
      if (first && !NO_COLUMN.contains(token.text().toUpperCase(Locale.ROOT))) {
        name(i);
      }
      first = depth == 1 && token.is(",");
      depth += token.is("(") ? 1 : token.is(")") ? -1 : 0;
    }
  }

  private void accounts(int from) {
    boolean first = true;
    for (int i = from; i < tokens.size(); i++) {
      SqlToken token = tokens.get(i);
      if (first && token.kind() != SqlToken.Kind.OTHER && isName(token.content())) {
        accounts.add(token.content());
      }
      first = token.is(",");
    }
  }

  private void name(int at) {
    if (at >= tokens.size()) {
      return;
    }
    SqlToken token = tokens.get(at);
    boolean isName = token.kind() == SqlToken.Kind.WORD || token.kind() == SqlToken.Kind.NAME;
    if (isName && isName(token.content())) {
      names.add(token.content());
    }
  }

  private static boolean isName(String word) {
    String upper = word.toUpperCase(Locale.ROOT);
    return word.matches("\\w+")
        && !word.matches("\\d+")
        && !word.equals(SqlScript.SCHEMA)
        && !Words.reserved(upper)
        && !OF_MYSQL.contains(upper);
  }
}
