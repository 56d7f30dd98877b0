package io.alrai.optimizer.api.token;

import io.alrai.common.sql.VariableName;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.executor.fragment.SqlTemplate.Piece;
import io.alrai.executor.fragment.SqlTemplate.Scope;
import io.alrai.executor.fragment.SqlTemplate.SessionValue;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.TokenCursor.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Puts templates together from slices of a statement: a {@code ?} becomes the slot of its number,
 * and what only the CN's session knows becomes a hole: {@code DATABASE()} and its like, user
 * variables and system variables. Not thread-safe.
 */
public final class TemplateWriter {
  private static final Map<String, SessionValue> FUNCTIONS =
      Map.ofEntries(
          Map.entry("LAST_INSERT_ID", SessionValue.LAST_INSERT_ID),
          Map.entry("CONNECTION_ID", SessionValue.CONNECTION_ID),
          Map.entry("DATABASE", SessionValue.DATABASE),
          Map.entry("SCHEMA", SessionValue.DATABASE),
          Map.entry("USER", SessionValue.USER),
          Map.entry("SESSION_USER", SessionValue.USER),
          Map.entry("SYSTEM_USER", SessionValue.USER),
          Map.entry("CURRENT_USER", SessionValue.CURRENT_USER),
          Map.entry("CURRENT_ROLE", SessionValue.CURRENT_ROLE),
          Map.entry("ROW_COUNT", SessionValue.ROW_COUNT),
          Map.entry("FOUND_ROWS", SessionValue.FOUND_ROWS),
          Map.entry("VERSION", SessionValue.VERSION));

  private final TokenCursor tokens;
  private final Map<Integer, String> names;
  private final List<Piece> pieces = new ArrayList<>();
  private final StringBuilder text = new StringBuilder();
  private boolean rewritten;

  /** For slices of these tokens. */
  public TemplateWriter(TokenCursor tokens) {
    this(tokens, Map.of());
  }

  /**
   * A writer that replaces some tokens.
   *
   * @param names what stands for tokens, by their indexes: {@link FunctionCalls#names}
   */
  public TemplateWriter(TokenCursor tokens, Map<Integer, String> names) {
    this.tokens = tokens;
    this.names = Map.copyOf(names);
  }

  /** A template without holes. */
  public static SqlTemplate text(String sql) {
    return new SqlTemplate(List.of(new Piece.Text(sql)));
  }

  /** Adds fixed text. */
  public TemplateWriter add(String sql) {
    text.append(sql);
    return this;
  }

  /** Adds a hole. */
  public TemplateWriter add(Piece hole) {
    if (!text.isEmpty()) {
      pieces.add(new Piece.Text(text.toString()));
      text.setLength(0);
    }
    pieces.add(hole);
    return this;
  }

  /** Adds the text from one token up to another one, exclusive. */
  public TemplateWriter add(int from, int to) {
    int at = from;
    int copied = from < to ? tokens.token(from).start() : 0;
    while (at < to) {
      Optional<Piece> hole = hole(at);
      if (hole.isEmpty()) {
        at++;
        continue;
      }
      text.append(tokens.bytes(copied, tokens.token(at).start()));
      add(hole.get());
      at += lengthOfHole(at);
      copied = tokens.token(at - 1).end();
    }
    if (from < to) {
      text.append(tokens.bytes(copied, tokens.token(to - 1).end()));
    }
    return this;
  }

  /**
   * Whether the text is not what the client wrote: there are holes for something of the session.
   */
  public boolean isRewritten() {
    return rewritten;
  }

  /** What was added so far. */
  public SqlTemplate template() {
    if (!text.isEmpty()) {
      pieces.add(new Piece.Text(text.toString()));
      text.setLength(0);
    }
    return new SqlTemplate(pieces);
  }

  private Optional<Piece> hole(int at) {
    if (names.containsKey(at)) {
      rewritten = true;
      return Optional.of(new Piece.Text(names.get(at)));
    }
    Token token = tokens.token(at);
    Piece hole =
        switch (token.kind()) {
          case PARAMETER -> new Piece.Slot(tokens.slot(at));
          case WORD -> function(at, token).<Piece>map(Piece.Session::new).orElse(null);
          case USER_VARIABLE -> userVariable(at, token).orElse(null);
          case SYSTEM_VARIABLE -> systemVariable(at, token);
          default -> null;
        };
    rewritten |= hole != null && token.kind() != TokenKind.PARAMETER;
    return Optional.ofNullable(hole);
  }

  private int lengthOfHole(int at) {
    if (names.containsKey(at)) {
      return 1;
    }
    return switch (tokens.token(at).kind()) {
      case WORD -> isCall(at) ? 3 : 1;
      case SYSTEM_VARIABLE -> isScope(at) ? 3 : 1;
      default -> 1;
    };
  }

  private Optional<SessionValue> function(int at, Token token) {
    SessionValue value = FUNCTIONS.get(token.text().toUpperCase(Locale.ROOT));
    if (value == null || tokens.kindAt(at - 1) == TokenKind.DOT) {
      return Optional.empty();
    }
    boolean bare = value == SessionValue.CURRENT_USER && tokens.kindAt(at + 1) != TokenKind.OPEN;
    return bare || isCall(at) ? Optional.of(value) : Optional.empty();
  }

  private boolean isCall(int at) {
    return tokens.kindAt(at + 1) == TokenKind.OPEN && tokens.kindAt(at + 2) == TokenKind.CLOSE;
  }

  private Optional<Piece> userVariable(int at, Token token) {
    boolean assigned =
        tokens.kindAt(at + 1) == TokenKind.OPERATOR && tokens.token(at + 1).text().equals(":=");
    if (assigned || token.text().length() == 1) {
      return Optional.empty();
    }
    return Optional.of(new Piece.UserVariable(VariableNames.ofUserVariable(token.text())));
  }

  private Piece systemVariable(int at, Token token) {
    String first = VariableNames.plain(token.text().substring(2));
    if (!isScope(at)) {
      return new Piece.SystemVariable(Scope.NONE, VariableName.of(first));
    }
    Scope scope = first.equals("global") ? Scope.GLOBAL : Scope.SESSION;
    return new Piece.SystemVariable(scope, VariableName.of(tokens.token(at + 2).name()));
  }

  private boolean isScope(int at) {
    if (tokens.kindAt(at + 1) != TokenKind.DOT || at + 2 >= tokens.size()) {
      return false;
    }
    String scope = tokens.token(at).text().substring(2).toLowerCase(Locale.ROOT);
    return scope.equals("global") || scope.equals("session") || scope.equals("local");
  }
}
