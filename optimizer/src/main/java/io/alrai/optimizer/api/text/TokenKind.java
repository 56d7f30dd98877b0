package io.alrai.optimizer.api.text;

/** What a piece of MySQL text is, by the lexer's rules alone. */
public enum TokenKind {
  /** A keyword or an unquoted identifier. */
  WORD,
  /** An identifier in backticks, or in double quotes with ANSI_QUOTES. */
  QUOTED,
  /** A character string. */
  STRING,
  /** {@code N'..'}. */
  NATIONAL_STRING,
  /** {@code x'..'} or {@code 0x..}. */
  HEX,
  /** {@code b'..'} or {@code 0b..}. */
  BIT,
  /** Digits only. */
  INTEGER,
  /** Digits with a point. */
  DECIMAL,
  /** Digits with an exponent. */
  FLOAT,
  /** {@code ?}. */
  PARAMETER,
  /** {@code @name}, {@code @'name'} or a lone {@code @}. */
  USER_VARIABLE,
  /** {@code @@name}; a part after a point is a token of its own. */
  SYSTEM_VARIABLE,
  OPEN,
  CLOSE,
  COMMA,
  DOT,
  SEMICOLON,
  /** {@code ->} and {@code ->>}. */
  ARROW,
  /** Any other operator. */
  OPERATOR,
  /** {@code /*+ .. *}{@code /}. */
  HINT,
  /** A byte that starts no token. */
  OTHER,
  /** A quote or comment that never ends; reaches to the end of the text. */
  BROKEN,
  /** After the last token. */
  END
}
