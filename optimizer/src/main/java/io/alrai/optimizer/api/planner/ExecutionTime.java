package io.alrai.optimizer.api.planner;

import io.alrai.optimizer.api.Planned;
import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.TokenScanner;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long a SELECT may take by its hint {@code MAX_EXECUTION_TIME(n)}, which stands after its
 * first SELECT; after that of the main query where WITH or EXPLAIN is in front.
 */
final class ExecutionTime {
  private static final long MOST_MILLIS = 0xffff_ffffL;

  private static final Pattern HINT =
      Pattern.compile(
          "\\bMAX_EXECUTION_TIME\\s*\\(\\s*(\\d{1,18})\\s*\\)", Pattern.CASE_INSENSITIVE);

  private final byte[] bytes;
  private final TokenScanner scanner = new TokenScanner();
  private TokenKind kind;

  private ExecutionTime(String sql, boolean ansiQuotes, boolean noBackslashEscapes) {
    bytes = sql.getBytes(StandardCharsets.UTF_8);
    scanner.reset(
        bytes,
        0,
        bytes.length,
        new LexicalMode(StandardCharsets.UTF_8, ansiQuotes, noBackslashEscapes));
    kind = scanner.next();
  }

  /**
   * What a statement says of its time.
   *
   * @param sql its shape, or its text
   * @return milliseconds, 0 where it is a SELECT and says nothing, or {@link Planned#NO_SELECT}
   */
  static long of(String sql, boolean ansiQuotes, boolean noBackslashEscapes) {
    return new ExecutionTime(sql, ansiQuotes, noBackslashEscapes).find();
  }

  private long find() {
    while (kind == TokenKind.OPEN || kind == TokenKind.HINT) {
      kind = scanner.next();
    }
    return switch (word()) {
      case "SELECT" -> ofHints();
      case "TABLE", "VALUES" -> 0;
      case "WITH", "EXPLAIN", "DESCRIBE", "DESC" -> ofMainQuery();
      default -> Planned.NO_SELECT;
    };
  }

  /** Common table expressions stand in parentheses. */
  private long ofMainQuery() {
    int depth = 0;
    boolean named = false; // what stands in parentheses now has a name
    boolean begins = false; // what stands in parentheses now has none, and begins
    while (kind != TokenKind.END) {
      String word = depth == 0 || begins ? word() : "";
      if (word.equals("SELECT")) {
        return ofHints();
      }
      if (word.equals("TABLE") || word.equals("VALUES")) {
        return 0;
      }
      begins = kind == TokenKind.OPEN && depth == 0 && !named;
      if (kind == TokenKind.OPEN) {
        depth++;
      } else if (kind == TokenKind.CLOSE) {
        depth--;
      }
      named = word.equals("AS") || depth == 0 && named && kind != TokenKind.CLOSE;
      kind = scanner.next();
    }
    return Planned.NO_SELECT;
  }

  /** What the hints after a SELECT say. */
  private long ofHints() {
    kind = scanner.next();
    while (kind == TokenKind.HINT) {
      Matcher hint = HINT.matcher(text());
      if (hint.find()) {
        return Math.min(MOST_MILLIS, Long.parseLong(hint.group(1)));
      }
      kind = scanner.next();
    }
    return 0;
  }

  private String word() {
    return kind == TokenKind.WORD ? text().toUpperCase(Locale.ROOT) : "";
  }

  private String text() {
    int length = scanner.end() - scanner.start();
    return new String(bytes, scanner.start(), length, StandardCharsets.UTF_8);
  }
}
