package io.alrai.optimizer.syntax;

import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.api.text.SyntaxException;
import io.alrai.optimizer.syntax.Mention.What;
import io.alrai.optimizer.syntax.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A shape cut into tokens. Immutable. */
public final class SourceText {
  private final String text;
  private final List<Token> tokens;

  private SourceText(String text, List<Token> tokens) {
    this.text = text;
    this.tokens = List.copyOf(tokens);
  }

  /**
   * Cuts a shape.
   *
   * @throws SyntaxException at an unfinished quote
   */
  public static SourceText of(String shape, boolean ansiQuotes, boolean noBackslashEscapes) {
    return new SourceText(shape, new Lexer(shape, ansiQuotes, noBackslashEscapes).tokens());
  }

  /** The text. */
  public String text() {
    return text;
  }

  List<Token> tokens() {
    return tokens;
  }

  /** The first word in upper case, parentheses before it skipped; empty for none. */
  public String firstWord() {
    for (Token token : tokens) {
      if (token.kind() == Kind.WORD) {
        return token.upper();
      }
      if (!token.text().equals("(")) {
        return "";
      }
    }
    return "";
  }

  /** Where the slots stand; the index is the slot's number. */
  public List<Span> slots() {
    List<Span> slots = new ArrayList<>();
    for (Token token : tokens) {
      if (token.kind() == Kind.SLOT) {
        slots.add(token.span());
      }
    }
    return slots;
  }

  /** What of the session may be meant, in text order. */
  public List<Mention> mentions() {
    List<Mention> found = new ArrayList<>();
    for (int i = 0; i < tokens.size(); i++) {
      mention(i).ifPresent(found::add);
    }
    return found;
  }

  private Optional<Mention> mention(int i) {
    Token token = tokens.get(i);
    return switch (token.kind()) {
      case VARIABLE -> Optional.of(new Mention(What.VARIABLE, token.text(), token.span()));
      case OPERATOR ->
          token.text().equals(":=")
              ? Optional.of(new Mention(What.ASSIGNMENT, token.text(), token.span()))
              : Optional.empty();
      case WORD -> Optional.of(word(i, token));
      case QUOTED -> Optional.of(new Mention(What.NAME, token.text(), token.span()));
      case SLOT, LITERAL, END -> Optional.empty();
    };
  }

  private Mention word(int i, Token token) {
    boolean afterDot = i > 0 && tokens.get(i - 1).text().equals(".");
    boolean emptyCall =
        i + 2 < tokens.size()
            && tokens.get(i + 1).text().equals("(")
            && tokens.get(i + 2).text().equals(")");
    if (emptyCall && !afterDot) {
      Span span = token.span().to(tokens.get(i + 2).span());
      return new Mention(What.CALL, token.upper(), span);
    }
    if (token.upper().equals("CURRENT_USER") && !afterDot) {
      return new Mention(What.CALL, token.upper(), token.span());
    }
    return new Mention(What.NAME, token.text(), token.span());
  }
}
