package io.alrai.cn.routine;

import io.alrai.common.type.Collations;
import io.alrai.common.type.Collations.Collation;
import io.alrai.common.type.MysqlType;
import io.alrai.executor.fragment.SlotValues.Kind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The type of a variable. Values that a variable holds as they are, or as anybody would expect, are
 * converted here; of all others a mysqld says what becomes of them.
 *
 * @param text as declared
 * @param word its first word in upper case
 * @param length the first number in parentheses; -1 for none
 * @param scale the second
 * @param unsigned whether it says UNSIGNED or ZEROFILL
 * @param collation of strings
 * @param own whether that is another one than the connection's
 */
record DeclaredType(
    String text,
    String word,
    int length,
    int scale,
    boolean unsigned,
    String collation,
    boolean own) {
  private static final Pattern FORM =
      Pattern.compile(
          "\\s*(\\w+)\\s*(?:\\(\\s*(\\d+)\\s*(?:,\\s*(\\d+)\\s*)?\\))?(.*)", Pattern.DOTALL);
  private static final Pattern CHARSET =
      Pattern.compile(
          "\\b(?:CHARACTER\\s+SET|CHARSET|CHAR\\s+SET)\\s+['\"`]?(\\w+)", Pattern.CASE_INSENSITIVE);
  private static final Pattern COLLATE =
      Pattern.compile("\\bCOLLATE\\s+['\"`]?(\\w+)", Pattern.CASE_INSENSITIVE);
  private static final Pattern MEMBER = Pattern.compile("[A-Za-z_]+");
  private static final int DECIMAL_DIGITS = 10;

  /**
   * Reads a declaration.
   *
   * @param schemaCollation of strings that say none
   * @param connection the collation of string literals
   */
  static DeclaredType of(
      String text, String schemaCollation, String connection, Collations collations) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      return new DeclaredType(text, "", -1, -1, false, schemaCollation, false);
    }
    String rest = form.group(4);
    String upper = rest.toUpperCase(Locale.ROOT);
    String collation = schemaCollation;
    Matcher charset = CHARSET.matcher(rest);
    if (charset.find()) {
      collation = collations.defaultOf(charset.group(1)).map(Collation::name).orElse(collation);
    }
    Matcher collate = COLLATE.matcher(rest);
    if (collate.find()) {
      collation = collate.group(1).toLowerCase(Locale.ROOT);
    }
    return new DeclaredType(
        text,
        form.group(1).toUpperCase(Locale.ROOT),
        number(form.group(2)),
        number(form.group(3)),
        upper.contains("UNSIGNED") || upper.contains("ZEROFILL"),
        collation,
        !collation.equals(connection));
  }

  private LocalValue collated(LocalValue value) {
    return own ? value.withCollation(collation) : value;
  }

  private static int number(@Nullable String digits) {
    return digits == null || digits.length() > 9 ? -1 : Integer.parseInt(digits);
  }

  /** The value as a variable of this type has it; empty where a mysqld must say that. */
  Optional<LocalValue> converted(LocalValue value) {
    if (value.isNull()) {
      return Optional.of(value);
    }
    return switch (word) {
      case "BOOL", "BOOLEAN", "TINYINT" -> whole(value, 8);
      case "SMALLINT" -> whole(value, 16);
      case "MEDIUMINT" -> whole(value, 24);
      case "INT", "INTEGER" -> whole(value, 32);
      case "BIGINT" -> whole(value, 64);
      case "DECIMAL", "NUMERIC", "DEC" -> decimal(value);
      case "DOUBLE" -> isPlain() ? real(value) : Optional.empty();
      case "VARCHAR" -> string(value, length);
      case "CHAR" ->
          value.text().endsWith(" ") ? Optional.empty() : string(value, Math.max(length, 1));
      case "TEXT", "MEDIUMTEXT", "LONGTEXT" -> string(value, 16_000);
      case "DATE" -> temporal(value, MysqlType.DATE, "0000-00-00".length());
      case "DATETIME" -> temporal(value, MysqlType.DATETIME, "0000-00-00 00:00:00".length());
      case "ENUM" -> member(value);
      case "JSON" -> value.type() == MysqlType.JSON ? Optional.of(value) : Optional.empty();
      default -> Optional.empty();
    };
  }

  private boolean isPlain() {
    return length < 0 && !unsigned && !text.toUpperCase(Locale.ROOT).contains("ZEROFILL");
  }

  private Optional<LocalValue> whole(LocalValue value, int bits) {
    boolean number = value.kind() == Kind.INTEGER || value.kind() == Kind.DECIMAL;
    if (!number || text.toUpperCase(Locale.ROOT).contains("ZEROFILL")) {
      return Optional.empty();
    }
    BigInteger exact =
        new BigDecimal(value.text()).setScale(0, RoundingMode.HALF_UP).toBigInteger();
    boolean fits =
        unsigned ? exact.signum() >= 0 && exact.bitLength() <= bits : exact.bitLength() < bits;
    return fits ? Optional.of(LocalValue.ofDigits(exact.toString(), unsigned)) : Optional.empty();
  }

  private Optional<LocalValue> decimal(LocalValue value) {
    if ((value.kind() != Kind.INTEGER && value.kind() != Kind.DECIMAL) || unsigned) {
      return Optional.empty();
    }
    int digits = length < 0 ? DECIMAL_DIGITS : length;
    int behind = Math.max(scale, 0);
    BigDecimal exact = new BigDecimal(value.text());
    if (exact.stripTrailingZeros().scale() > behind) {
      return Optional.empty();
    }
    BigDecimal scaled = exact.setScale(behind, RoundingMode.UNNECESSARY);
    return scaled.precision() <= digits
        ? Optional.of(
            new LocalValue(
                Kind.DECIMAL,
                scaled.toPlainString().getBytes(StandardCharsets.US_ASCII),
                MysqlType.DECIMAL,
                false,
                ""))
        : Optional.empty();
  }

  private static Optional<LocalValue> real(LocalValue value) {
    return switch (value.kind()) {
      case FLOAT -> value.type() == MysqlType.FLOAT ? Optional.empty() : Optional.of(value);
      case INTEGER ->
          value.bytes().length < 15
              ? Optional.of(new LocalValue(Kind.FLOAT, value.bytes(), MysqlType.DOUBLE, false, ""))
              : Optional.empty();
      default -> Optional.empty();
    };
  }

  private Optional<LocalValue> string(LocalValue value, int most) {
    boolean known = collation.startsWith("utf8mb4_");
    String content = value.text();
    boolean fits = content.codePointCount(0, content.length()) <= most;
    return switch (value.kind()) {
      case STRING ->
          known && fits && value.type() != MysqlType.JSON
              ? Optional.of(collated(value))
              : Optional.empty();
      case INTEGER, DECIMAL ->
          known && fits ? Optional.of(collated(LocalValue.ofText(content))) : Optional.empty();
      default -> Optional.empty();
    };
  }

  /** As it is spelled in the declaration. */
  private Optional<LocalValue> member(LocalValue value) {
    String content = value.text();
    boolean plain = value.kind() == Kind.STRING && MEMBER.matcher(content).matches();
    return plain && Pattern.compile("[(,]\\s*'" + content + "'\\s*[,)]").matcher(text).find()
        ? string(value, content.length())
        : Optional.empty();
  }

  private Optional<LocalValue> temporal(LocalValue value, MysqlType type, int size) {
    return length <= 0 && value.type() == type && value.bytes().length == size
        ? Optional.of(value)
        : Optional.empty();
  }

  /** What a mysqld has made of a value, as a variable of this type has it. */
  LocalValue made(LocalValue value) {
    return value.kind() == Kind.STRING && value.type() != MysqlType.JSON ? collated(value) : value;
  }
}
