package io.alrai.optimizer.syntax;

import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.api.text.SyntaxException;
import io.alrai.optimizer.api.text.Words;
import io.alrai.optimizer.syntax.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Cuts a shape into tokens. Slots are numbered from 0 in text order. Literals that are no slots are
 * accepted too, so that fragments of SQL can be read. Comments are skipped.
 */
final class Lexer {
  private static final List<String> OPERATORS =
      List.of("->>", "<=>", "->", "<=", ">=", "<>", "!=", "<<", ">>", "||", "&&", ":=");

  private final String source;
  private final boolean ansiQuotes;
  private final boolean noBackslashEscapes;
  private final List<Token> tokens = new ArrayList<>();
  private int position;
  private int slots;

  Lexer(String source, boolean ansiQuotes, boolean noBackslashEscapes) {
    this.source = source;
    this.ansiQuotes = ansiQuotes;
    this.noBackslashEscapes = noBackslashEscapes;
  }

  /**
   * All tokens, the last of kind END.
   *
   * @throws SyntaxException at an unfinished quote or comment
   */
  List<Token> tokens() {
    while (skipBlanks()) {
      next();
    }
    add(Kind.END, "", source.length());
    return tokens;
  }

  private boolean skipBlanks() {
    while (position < source.length()) {
      char c = source.charAt(position);
      if (c <= ' ') {
        position++;
      } else if (source.startsWith("/*", position)) {
        int end = source.indexOf("*/", position + 2);
        if (end < 0) {
          throw new SyntaxException(position);
        }
        position = end + 2;
      } else if (c == '#'
          || (source.startsWith("--", position)
              && (position + 2 == source.length() || source.charAt(position + 2) <= ' '))) {
        int end = source.indexOf('\n', position);
        position = end < 0 ? source.length() : end + 1;
      } else {
        return true;
      }
    }
    return false;
  }

  private void next() {
    int start = position;
    char c = source.charAt(start);
    if (c == '?') {
      position++;
      tokens.add(new Token(Kind.SLOT, "?", "", slots++, new Span(start, position)));
    } else if (c == '`' || (c == '"' && ansiQuotes)) {
      String name = quoted(c, true);
      add(Kind.QUOTED, name, start);
    } else if (c == '\'' || c == '"') {
      quoted(c, noBackslashEscapes);
      add(Kind.LITERAL, source.substring(start, position), start);
    } else if (c == '@') {
      variable(start);
    } else if (startsNumber(start)) {
      number(start);
    } else if (hexOrBits(start) > start) {
      position = hexOrBits(start);
      add(Kind.LITERAL, source.substring(start, position), start);
    } else if (isWord(c)) {
      while (position < source.length() && isWord(source.charAt(position))) {
        position++;
      }
      add(qualifies() ? Kind.QUOTED : Kind.WORD, source.substring(start, position), start);
    } else {
      operator(start);
    }
  }

  private void operator(int start) {
    for (String operator : OPERATORS) {
      if (source.startsWith(operator, start)) {
        position += operator.length();
        add(Kind.OPERATOR, operator, start);
        return;
      }
    }
    position++;
    add(Kind.OPERATOR, source.substring(start, position), start);
  }

  private void number(int start) {
    while (position < source.length()) {
      char c = source.charAt(position);
      boolean exponentSign =
          (c == '+' || c == '-') && "eE".indexOf(source.charAt(position - 1)) >= 0;
      if (!isDigit(c) && c != '.' && c != 'e' && c != 'E' && !exponentSign) {
        break;
      }
      position++;
    }
    add(Kind.LITERAL, source.substring(start, position), start);
  }

  private void variable(int start) {
    position++;
    if (isAt('@')) {
      position++;
      systemVariable(start);
      return;
    }
    if (quotedPart().isEmpty()) {
      while (position < source.length() && (isWord(source.charAt(position)) || isAt('.'))) {
        position++;
      }
    }
    add(Kind.VARIABLE, source.substring(start, position), start);
  }

  /** Its text is without the blanks that may stand around points, and quotes are backticks. */
  private void systemVariable(int start) {
    StringBuilder text = new StringBuilder("@@");
    while (true) {
      int part = position;
      boolean string = isAt('\'') || (isAt('"') && !ansiQuotes);
      Optional<String> quoted = quotedPart();
      if (quoted.isEmpty()) {
        while (position < source.length() && isWord(source.charAt(position))) {
          position++;
        }
      }
      if (position == part || (string && text.length() == 2)) {
        throw new SyntaxException(start);
      }
      int end = position;
      text.append(quoted.map(Identifier::quote).orElse(source.substring(part, end)));
      if (!skipBlanks() || !isAt('.')) {
        position = end;
        break;
      }
      if (quoted.filter(Words::scope).isPresent()) {
        throw new SyntaxException(part);
      }
      position++;
      text.append('.');
      skipBlanks();
    }
    add(Kind.VARIABLE, text.toString(), start);
  }

  private boolean isAt(char c) {
    return position < source.length() && source.charAt(position) == c;
  }

  /** Reads a part of a variable's name that stands in quotes, if one does. */
  private Optional<String> quotedPart() {
    if (!isAt('`') && !isAt('\'') && !isAt('"')) {
      return Optional.empty();
    }
    char quote = source.charAt(position);
    return Optional.of(
        quoted(quote, noBackslashEscapes || quote == '`' || (quote == '"' && ansiQuotes)));
  }

  private String quoted(char quote, boolean plain) {
    StringBuilder content = new StringBuilder();
    int start = position++;
    while (position < source.length()) {
      char c = source.charAt(position++);
      if (c == '\\' && !plain && position < source.length()) {
        content.append(c).append(source.charAt(position++));
      } else if (c != quote) {
        content.append(c);
      } else if (position < source.length() && source.charAt(position) == quote) {
        content.append(c);
        position++;
      } else {
        return content.toString();
      }
    }
    throw new SyntaxException(start);
  }

  /** Whether a point and a name follow at once: then the word is a name, whatever it is. */
  private boolean qualifies() {
    return position + 1 < source.length()
        && source.charAt(position) == '.'
        && isWord(source.charAt(position + 1));
  }

  private boolean startsNumber(int start) {
    char c = source.charAt(start);
    if (c == '.') {
      return start + 1 < source.length() && isDigit(source.charAt(start + 1)) && !afterName();
    }
    return isDigit(c) && !afterDot() && !wordAfterDigits(start);
  }

  /** Whether a name ends right here, so that a point belongs to it. */
  private boolean afterName() {
    return !tokens.isEmpty()
        && tokens.getLast().span().end() == position
        && switch (tokens.getLast().kind()) {
          case WORD, QUOTED, VARIABLE -> true;
          case SLOT, LITERAL, OPERATOR, END -> false;
        };
  }

  /** Where {@code 0x41} or {@code 0b01} ends that starts here; here for none. */
  private int hexOrBits(int start) {
    boolean hex = source.startsWith("0x", start);
    if (afterDot() || !(hex || source.startsWith("0b", start))) {
      return start;
    }
    int end = start + 2;
    while (end < source.length() && isWord(source.charAt(end))) {
      if (Character.digit(source.charAt(end), hex ? 16 : 2) < 0) {
        return start;
      }
      end++;
    }
    return end > start + 2 ? end : start;
  }

  private boolean afterDot() {
    return !tokens.isEmpty()
        && tokens.getLast().text().equals(".")
        && tokens.getLast().span().end() == position;
  }

  private boolean wordAfterDigits(int start) {
    int i = start;
    while (i < source.length() && isDigit(source.charAt(i))) {
      i++;
    }
    return i < source.length() && isWord(source.charAt(i)) && !exponent(i);
  }

  private boolean exponent(int at) {
    char c = source.charAt(at);
    int digits = at + 1;
    if (digits < source.length() && "+-".indexOf(source.charAt(digits)) >= 0) {
      digits++;
    }
    return (c == 'e' || c == 'E') && digits < source.length() && isDigit(source.charAt(digits));
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isWord(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || isDigit(c)
        || c == '_'
        || c == '$'
        || c >= 0x80;
  }

  private void add(Kind kind, String text, int start) {
    String upper = kind == Kind.WORD ? text.toUpperCase(Locale.ROOT) : "";
    tokens.add(new Token(kind, text, upper, -1, new Span(start, position)));
  }
}
