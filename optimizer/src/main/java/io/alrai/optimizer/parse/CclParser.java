package io.alrai.optimizer.parse;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.CclRule;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.CclStatement;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.TokenCursor;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** CCL rules in PolarDB-X's grammar; what is around them there is refused. */
final class CclParser {
  private static final Set<String> VERBS = Set.of("CREATE", "DROP", "SHOW", "CLEAR");
  private static final int LONGEST_NAME = 64;
  private static final int MOST_TEMPLATES = 63;
  private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");

  private final TokenCursor tokens;

  CclParser(TokenCursor tokens) {
    this.tokens = tokens;
  }

  /** Whether a text begins as one of them. */
  static boolean sees(TokenCursor tokens) {
    if (tokens.sees("SLOW_SQL_CCL")) {
      return true;
    }
    int second = tokens.position() + 1;
    return VERBS.stream().anyMatch(tokens::sees)
        && (tokens.seesAt(second, "CCL_RULE")
            || tokens.seesAt(second, "CCL_RULES")
            || tokens.seesAt(second, "CCL_TRIGGER")
            || tokens.seesAt(second, "CCL_TRIGGERS"));
  }

  AdminStatement.Parsed parse() {
    CclStatement parsed = statement();
    tokens.expectEnd();
    return new AdminStatement.Ccl(parsed);
  }

  private CclStatement statement() {
    if (tokens.take("SLOW_SQL_CCL")) {
      throw AdminParser.notSupported(
          "SLOW_SQL_CCL",
          ": look for the statement in sys.statement_analysis, and give its digest to CREATE"
              + " CCL_RULE .. FILTER BY TEMPLATE");
    }
    if (tokens.take("SHOW", "CCL_RULES")) {
      return new CclStatement.Show(List.of());
    }
    if (tokens.take("SHOW", "CCL_RULE")) {
      return new CclStatement.Show(names());
    }
    if (tokens.take("CLEAR", "CCL_RULES")) {
      return new CclStatement.Clear();
    }
    if (tokens.take("DROP", "CCL_RULE")) {
      boolean ifExists = tokens.take("IF", "EXISTS");
      return new CclStatement.Drop(names(), ifExists);
    }
    if (tokens.take("CREATE", "CCL_RULE")) {
      return create();
    }
    int second = tokens.position() + 1;
    if (tokens.seesAt(second, "CCL_TRIGGER") || tokens.seesAt(second, "CCL_TRIGGERS")) {
      throw AdminParser.notSupported("CCL_TRIGGER", ": rules are created by hand only");
    }
    tokens.moveTo(second);
    throw tokens.syntaxError();
  }

  private List<String> names() {
    List<String> names = new ArrayList<>();
    do {
      names.add(name());
    } while (tokens.take(TokenKind.COMMA));
    return names;
  }

  private String name() {
    String name = tokens.identifier();
    if (name.codePointCount(0, name.length()) > LONGEST_NAME) {
      throw new AlraiException(
          ErrorCode.ER_TOO_LONG_IDENT, "Identifier name '" + name + "' is too long");
    }
    if (name.isBlank()) {
      throw wrong("a CCL rule needs a name");
    }
    return name;
  }

  private CclStatement create() {
    boolean ifNotExists = tokens.take("IF", "NOT", "EXISTS");
    String name = name();
    tokens.expect("ON");
    String schema = part();
    tokens.expect(TokenKind.DOT);
    CclRule.Scope on = new CclRule.Scope(schema, part());
    CclRule.Client to = tokens.take("TO") ? client() : CclRule.Client.ANYBODY;
    tokens.expect("FOR");
    CclRule.Verb verb = verb();
    CclRule.Filter filter = filter();
    tokens.expect("WITH");
    return new CclStatement.Create(
        new CclRule(name, on, to, verb, filter, limits(), 0), ifNotExists);
  }

  private String part() {
    return tokens.takeOperator(CclRule.ANY) ? CclRule.ANY : tokens.identifier();
  }

  private CclRule.Client client() {
    String user = tokens.identifierOrString();
    String host = "";
    if (tokens.kind() == TokenKind.USER_VARIABLE) {
      String written = tokens.token(tokens.position()).text().substring(1);
      tokens.take(TokenKind.USER_VARIABLE);
      if (written.isEmpty()) {
        host = tokens.identifierOrString();
      } else {
        char first = written.charAt(0);
        boolean quoted = first == '\'' || first == '"' || first == '`';
        host = quoted ? TokenCursor.unquoted(written, true) : written;
      }
    }
    return new CclRule.Client(user, host.isEmpty() ? "%" : host.toLowerCase(Locale.ROOT));
  }

  private CclRule.Verb verb() {
    for (CclRule.Verb verb : CclRule.Verb.values()) {
      if (tokens.take(verb.name())) {
        return verb;
      }
    }
    throw tokens.syntaxError();
  }

  private CclRule.Filter filter() {
    List<String> keywords = List.of();
    List<String> templates = List.of();
    while (tokens.take("FILTER")) {
      tokens.expect("BY");
      if (keywords.isEmpty() && templates.isEmpty() && tokens.take("KEYWORD")) {
        keywords = strings();
        requireKeywords(keywords);
      } else if (templates.isEmpty() && tokens.take("TEMPLATE")) {
        templates =
            strings().stream().map(each -> each.toLowerCase(Locale.ROOT)).distinct().toList();
        requireDigests(templates);
      } else if (tokens.sees("QUERY")) {
        throw AdminParser.notSupported(
            "FILTER BY QUERY",
            ": use FILTER BY TEMPLATE with the statement's STATEMENT_DIGEST(), or FILTER BY"
                + " KEYWORD");
      } else {
        throw tokens.syntaxError();
      }
    }
    return new CclRule.Filter(keywords, templates);
  }

  private List<String> strings() {
    if (tokens.kind() == TokenKind.STRING) {
      return List.of(tokens.string());
    }
    tokens.expect(TokenKind.OPEN);
    List<String> strings = new ArrayList<>();
    do {
      strings.add(tokens.string());
    } while (tokens.take(TokenKind.COMMA));
    tokens.expect(TokenKind.CLOSE);
    return strings;
  }

  private static void requireKeywords(List<String> keywords) {
    if (keywords.stream().anyMatch(String::isEmpty)) {
      throw wrong("a keyword of a CCL rule is a word or a value, not empty");
    }
    if (keywords.stream().mapToInt(String::length).sum() > CclRule.MOST_KEYWORDS) {
      throw wrong(
          "the keywords of a CCL rule have "
              + CclRule.MOST_KEYWORDS
              + " characters at most, all together");
    }
  }

  private static void requireDigests(List<String> templates) {
    if (templates.size() > MOST_TEMPLATES) {
      throw wrong("a CCL rule has " + MOST_TEMPLATES + " templates at most");
    }
    for (String template : templates) {
      if (!DIGEST.matcher(template).matches()) {
        throw wrong(
            "a template of a CCL rule is a digest of 64 hexadecimal digits, as DIGEST of"
                + " performance_schema.events_statements_summary_by_digest shows it, or"
                + " STATEMENT_DIGEST() of a mysqld");
      }
    }
  }

  private CclRule.Limits limits() {
    CclRule.Limits limits = CclRule.Limits.USUAL;
    Set<String> given = new HashSet<>();
    do {
      int at = tokens.position();
      String option = tokens.identifier().toUpperCase(Locale.ROOT);
      if (!given.add(option)) {
        tokens.moveTo(at);
        throw tokens.syntaxError();
      }
      if (option.equals("LIGHT_WAIT")) {
        throw AdminParser.notSupported(
            option, ": leave it out, statements always wait without a thread");
      }
      if (!tokens.takeOperator("=")) {
        throw tokens.syntaxError();
      }
      int value = value(option);
      limits =
          switch (option) {
            case "MAX_CONCURRENCY" ->
                new CclRule.Limits(value, limits.queue(), limits.waitSeconds(), limits.fastMatch());
            case "WAIT_QUEUE_SIZE" ->
                new CclRule.Limits(
                    limits.concurrency(), value, limits.waitSeconds(), limits.fastMatch());
            case "WAIT_TIMEOUT" ->
                new CclRule.Limits(limits.concurrency(), limits.queue(), value, limits.fastMatch());
            case "FAST_MATCH" ->
                new CclRule.Limits(
                    limits.concurrency(), limits.queue(), limits.waitSeconds(), value != 0);
            default -> {
              tokens.moveTo(at);
              throw tokens.syntaxError();
            }
          };
    } while (tokens.take(TokenKind.COMMA));
    return limits;
  }

  private int value(String option) {
    int most = option.equals("FAST_MATCH") ? 1 : Integer.MAX_VALUE;
    long value = tokens.number();
    if (value > most) {
      throw wrong(option + " of a CCL rule is a number from 0 to " + most);
    }
    return (int) value;
  }

  private static AlraiException wrong(String sentence) {
    return new AlraiException(ErrorCode.ER_WRONG_ARGUMENTS, sentence);
  }
}
