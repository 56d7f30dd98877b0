package io.alrai.optimizer.parse;

import io.alrai.common.id.ClientXid;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.AdminStatement.XaOption;
import io.alrai.optimizer.api.AdminStatement.XaVerb;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.HexText;
import io.alrai.optimizer.api.token.TokenCursor;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;

/** XA START and what follows it. */
final class XaParser {
  private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);

  private final TokenCursor tokens;

  XaParser(TokenCursor tokens) {
    this.tokens = tokens;
  }

  AdminStatement.Parsed parse() {
    tokens.expect("XA");
    if (tokens.take("RECOVER")) {
      boolean converts = tokens.take("CONVERT");
      if (converts) {
        tokens.expect("XID");
      }
      tokens.expectEnd();
      return new AdminStatement.XaRecover(converts);
    }
    XaVerb verb = verb();
    ClientXid xid = xid();
    XaOption option = option(verb);
    tokens.expectEnd();
    return new AdminStatement.Xa(verb, xid, option);
  }

  private XaVerb verb() {
    if (tokens.take("START") || tokens.take("BEGIN")) {
      return XaVerb.START;
    }
    for (XaVerb verb : XaVerb.values()) {
      if (tokens.take(verb.name())) {
        return verb;
      }
    }
    throw tokens.syntaxError();
  }

  private XaOption option(XaVerb verb) {
    switch (verb) {
      case START -> {
        if (tokens.take("JOIN")) {
          return XaOption.JOIN;
        }
        if (tokens.take("RESUME")) {
          return XaOption.RESUME;
        }
      }
      case END -> {
        if (tokens.take("SUSPEND")) {
          if (tokens.take("FOR")) {
            tokens.expect("MIGRATE");
          }
          return XaOption.SUSPEND;
        }
      }
      case COMMIT -> {
        if (tokens.take("ONE")) {
          tokens.expect("PHASE");
          return XaOption.ONE_PHASE;
        }
      }
      default -> {}
    }
    return XaOption.NONE;
  }

  private ClientXid xid() {
    String gtrid = name();
    if (!tokens.take(TokenKind.COMMA)) {
      return new ClientXid(1, gtrid, "");
    }
    String bqual = name();
    return new ClientXid(tokens.take(TokenKind.COMMA) ? format() : 1, gtrid, bqual);
  }

  /** A string or a number of bytes in another base; each character is a byte. */
  private String name() {
    String text =
        switch (tokens.kind()) {
          case STRING -> {
            int at = tokens.position();
            String content = TokenCursor.unquoted(tokens.token(at).text(), false);
            tokens.moveTo(at + 1);
            yield new String(content.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
          }
          case HEX -> {
            int at = tokens.position();
            tokens.moveTo(at + 1);
            yield HexText.latin1(tokens.token(at).text());
          }
          case BIT -> {
            int at = tokens.position();
            tokens.moveTo(at + 1);
            yield bits(tokens.token(at).text());
          }
          default -> throw tokens.syntaxError();
        };
    if (text.length() > ClientXid.MOST_BYTES) {
      throw tokens.syntaxError();
    }
    return text;
  }

  /** The bytes of {@code b'..'} or {@code 0b..}. */
  private static String bits(String literal) {
    String digits =
        literal.startsWith("0b")
            ? literal.substring(2)
            : literal.substring(2, literal.length() - 1);
    StringBuilder bytes = new StringBuilder();
    String whole = "0".repeat((8 - digits.length() % 8) % 8) + digits;
    for (int i = 0; i < whole.length(); i += 8) {
      bytes.append((char) Integer.parseInt(whole.substring(i, i + 8), 2));
    }
    return bytes.toString();
  }

  private long format() {
    if (tokens.atEnd()) {
      throw tokens.syntaxError();
    }
    String text = tokens.token(tokens.position()).text();
    BigInteger value =
        switch (tokens.kind()) {
          case INTEGER -> new BigInteger(text);
          case HEX -> new BigInteger("0" + text.replaceAll("^0x|^[xX]'|'$", ""), 16);
          case DECIMAL, FLOAT -> new BigDecimal(text).setScale(0, RoundingMode.DOWN).toBigInteger();
          default -> throw tokens.syntaxError();
        };
    if (value.compareTo(MOST) > 0) {
      throw tokens.syntaxError();
    }
    tokens.moveTo(tokens.position() + 1);
    return value.longValue();
  }
}
