package io.alrai.optimizer.parse;

import io.alrai.common.sql.VariableName;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.executor.fragment.SqlTemplate.Piece;
import io.alrai.executor.fragment.SqlTemplate.Scope;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.AdminStatement.Assignment;
import io.alrai.optimizer.api.AdminStatement.VariableScope;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.text.Words;
import io.alrai.optimizer.api.token.TokenCursor;
import io.alrai.optimizer.api.token.TokenCursor.Token;
import io.alrai.optimizer.api.token.VariableNames;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** SET in all its forms, but for SET PASSWORD and those about roles. */
final class SetParser {
  /** Words that are values by themselves. */
  private static final Set<String> LITERAL_WORDS = Set.of("TRUE", "FALSE", "NULL", "DEFAULT");

  /** What needs no escapes within quotes. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_.,+:/-]*");

  private static final Set<String> OF_NEXT_TRANSACTION =
      Set.of("transaction_isolation", "transaction_read_only");

  private final TokenCursor tokens;

  SetParser(TokenCursor tokens) {
    this.tokens = tokens;
  }

  AdminStatement.Parsed parse() {
    tokens.expect("SET");
    if (tokens.sees("RESOURCE", "GROUP")) {
      throw AdminParser.notSupported(tokens.slice(0, 2).toUpperCase(Locale.ROOT), "");
    }
    Optional<AdminStatement.Parsed> transaction = transaction();
    if (transaction.isPresent()) {
      return transaction.get();
    }
    Optional<AdminStatement.Names> names = names();
    if (names.isPresent() && tokens.atEnd()) {
      return names.get();
    }
    tokens.moveTo(1);
    return variables();
  }

  // SET TRANSACTION

  private Optional<AdminStatement.Parsed> transaction() {
    VariableScope scope = VariableScope.NEXT;
    int start = tokens.position();
    if (tokens.take("GLOBAL")) {
      scope = VariableScope.GLOBAL;
    } else if (tokens.take("SESSION") || tokens.take("LOCAL")) {
      scope = VariableScope.SESSION;
    }
    if (!tokens.take("TRANSACTION")) {
      tokens.moveTo(start);
      return Optional.empty();
    }
    Optional<String> isolation = Optional.empty();
    Optional<Boolean> readOnly = Optional.empty();
    do {
      if (isolation.isEmpty() && tokens.take("ISOLATION")) {
        tokens.expect("LEVEL");
        isolation = Optional.of(isolation());
      } else if (readOnly.isEmpty()) {
        tokens.expect("READ");
        boolean only = tokens.take("ONLY");
        if (!only) {
          tokens.expect("WRITE");
        }
        readOnly = Optional.of(only);
      } else {
        throw tokens.syntaxError();
      }
    } while (tokens.take(TokenKind.COMMA));
    tokens.expectEnd();
    return Optional.of(new AdminStatement.SetTransaction(scope, isolation, readOnly));
  }

  private String isolation() {
    if (tokens.take("REPEATABLE")) {
      tokens.expect("READ");
      return "REPEATABLE-READ";
    }
    if (tokens.take("READ")) {
      if (tokens.take("COMMITTED")) {
        return "READ-COMMITTED";
      }
      tokens.expect("UNCOMMITTED");
      return "READ-UNCOMMITTED";
    }
    tokens.expect("SERIALIZABLE");
    return "SERIALIZABLE";
  }

  // SET NAMES, SET CHARACTER SET

  private Optional<AdminStatement.Names> names() {
    if (tokens.take("NAMES")) {
      if (tokens.seesOperator("=")) {
        throw tokens.syntaxError();
      }
      String charset = charset();
      Optional<String> collation = Optional.empty();
      if (tokens.take("COLLATE")) {
        collation = Optional.of(tokens.identifierOrString());
      }
      return Optional.of(new AdminStatement.SetNames(charset, collation));
    }
    if (tokens.take("CHARSET") || tokens.take("CHARACTER", "SET") || tokens.take("CHAR", "SET")) {
      return Optional.of(new AdminStatement.SetCharacterSet(charset()));
    }
    return Optional.empty();
  }

  /** A name in lower case; empty for DEFAULT. */
  private String charset() {
    if (tokens.take("DEFAULT")) {
      return "";
    }
    return tokens.identifierOrString().toLowerCase(Locale.ROOT);
  }

  // SET a = b, ..

  private AdminStatement.Parsed variables() {
    List<Assignment> assignments = new ArrayList<>();
    VariableScope scope = VariableScope.SESSION;
    do {
      int start = tokens.position();
      Optional<AdminStatement.Names> names = names();
      if (names.isPresent()) {
        addNames(names.get(), assignments);
        continue;
      }
      tokens.moveTo(start);
      if (tokens.kind() == TokenKind.USER_VARIABLE) {
        assignments.add(userVariable());
      } else if (tokens.kind() == TokenKind.SYSTEM_VARIABLE) {
        assignments.add(systemVariable());
      } else {
        scope = scopeWord(scope);
        if (tokens.sees("TRANSACTION")) {
          throw tokens.syntaxError();
        }
        assignments.add(new Assignment.OfSystem(scope, variableName(), value(true)));
      }
    } while (tokens.take(TokenKind.COMMA));
    tokens.expectEnd();
    return new AdminStatement.SetVariables(assignments);
  }

  /** SET NAMES as a part of a list of assignments. */
  private static void addNames(AdminStatement.Names names, List<Assignment> assignments) {
    switch (names) {
      case AdminStatement.SetNames set -> {
        for (String variable :
            List.of("character_set_client", "character_set_results", "character_set_connection")) {
          assignments.add(assigned(variable, set.charset()));
        }
        set.collation().ifPresent(name -> assignments.add(assigned("collation_connection", name)));
      }
      case AdminStatement.SetCharacterSet set -> {
        assignments.add(assigned("character_set_client", set.charset()));
        assignments.add(assigned("character_set_results", set.charset()));
        assignments.add(
            new Assignment.OfSystem(
                VariableScope.SESSION,
                VariableName.of("character_set_connection"),
                new SqlTemplate(
                    List.of(
                        new Piece.SystemVariable(
                            Scope.NONE, VariableName.of("character_set_database"))))));
      }
    }
  }

  private static Assignment assigned(String variable, String value) {
    String sql = value.isEmpty() ? "DEFAULT" : quoted(value);
    return new Assignment.OfSystem(
        VariableScope.SESSION,
        VariableName.of(variable),
        new SqlTemplate(List.of(new Piece.Text(sql))));
  }

  /** GLOBAL and the like stay in force for the assignments after. */
  private VariableScope scopeWord(VariableScope current) {
    TokenKind behind = tokens.kindAt(tokens.position() + 1);
    if (behind != TokenKind.WORD && behind != TokenKind.QUOTED) {
      return current;
    }
    if (tokens.take("GLOBAL")) {
      return VariableScope.GLOBAL;
    }
    if (tokens.take("PERSIST")) {
      return VariableScope.PERSIST;
    }
    if (tokens.sees("PERSIST_ONLY")) {
      throw AdminParser.notSupported("SET PERSIST_ONLY", ": use SET PERSIST");
    }
    return tokens.take("SESSION") || tokens.take("LOCAL") ? VariableScope.SESSION : current;
  }

  private Assignment userVariable() {
    Token variable = tokens.token(tokens.position());
    if (variable.text().length() == 1) {
      throw tokens.syntaxError();
    }
    tokens.expect(TokenKind.USER_VARIABLE);
    String name = VariableNames.ofUserVariable(variable.text());
    return new Assignment.OfUser(name, value(false));
  }

  private Assignment systemVariable() {
    Token variable = tokens.token(tokens.position());
    tokens.expect(TokenKind.SYSTEM_VARIABLE);
    String first = VariableNames.plain(variable.text().substring(2));
    Optional<VariableScope> scope =
        tokens.kind() == TokenKind.DOT ? scope(first) : Optional.empty();
    if (scope.isPresent() && variable.text().startsWith("`", 2) && Words.scope(first)) {
      tokens.moveTo(tokens.position() - 1);
      throw tokens.syntaxError();
    }
    if (scope.isPresent()) {
      tokens.expect(TokenKind.DOT);
      return new Assignment.OfSystem(scope.get(), variableName(), value(true));
    }
    if (first.isEmpty()) {
      throw tokens.syntaxError();
    }
    VariableName name =
        VariableName.of(tokens.take(TokenKind.DOT) ? first + "." + tokens.identifier() : first);
    VariableScope meant =
        OF_NEXT_TRANSACTION.contains(name.text()) ? VariableScope.NEXT : VariableScope.SESSION;
    return new Assignment.OfSystem(meant, name, value(true));
  }

  private static Optional<VariableScope> scope(String word) {
    return switch (word) {
      case "global" -> Optional.of(VariableScope.GLOBAL);
      case "persist" -> Optional.of(VariableScope.PERSIST);
      case "session", "local" -> Optional.of(VariableScope.SESSION);
      case "persist_only" ->
          throw AdminParser.notSupported("SET @@PERSIST_ONLY", ": use SET PERSIST");
      default -> Optional.empty();
    };
  }

  private VariableName variableName() {
    int start = tokens.position();
    String name = tokens.identifier();
    if (tokens.kind() == TokenKind.DOT && Words.scope(name)) {
      tokens.moveTo(start);
      throw tokens.syntaxError();
    }
    return VariableName.of(tokens.take(TokenKind.DOT) ? name + "." + tokens.identifier() : name);
  }

  /**
   * The value after the equals sign.
   *
   * @param wordsAreStrings whether a bare word stands for its text
   */
  private SqlTemplate value(boolean wordsAreStrings) {
    if (!tokens.takeOperator("=") && !tokens.takeOperator(":=")) {
      throw tokens.syntaxError();
    }
    int from = tokens.position();
    int to = tokens.endOfItem(from);
    if (to == from || tokens.kindAt(to) == TokenKind.CLOSE) {
      tokens.moveTo(to);
      throw tokens.syntaxError();
    }
    tokens.moveTo(to);
    if (wordsAreStrings && to == from + 1 && tokens.token(from).isName()) {
      Token word = tokens.token(from);
      String upper = word.text().toUpperCase(Locale.ROOT);
      if (!LITERAL_WORDS.contains(upper) && !upper.startsWith("CURRENT_")) {
        return new SqlTemplate(List.of(new Piece.Text(quoted(word.name()))));
      }
    }
    refuseAssignment(from, to);
    return tokens.template(from, to);
  }

  /** A value is computed on a connection that keeps no user variables; queries see to their own. */
  private void refuseAssignment(int from, int to) {
    boolean assigns = false;
    for (int i = from; i < to; i++) {
      if (tokens.token(i).isWord("SELECT")) {
        tokens.requireExpression(from, to);
        tokens.moveTo(to);
        return;
      }
      assigns |= tokens.kindAt(i) == TokenKind.OPERATOR && tokens.token(i).text().equals(":=");
    }
    if (assigns) {
      throw AdminParser.notSupported("':=' here", ": use SET @name = ..");
    }
  }

  /** A string that reads the same under every sql_mode. */
  private static String quoted(String text) {
    return PLAIN.matcher(text).matches()
        ? "'" + text + "'"
        : "_utf8mb4 x'" + HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8)) + "'";
  }
}
