package io.alrai.cn.route;

import io.alrai.cn.route.KeyHash.Use;
import io.alrai.common.type.AsciiWeights;
import io.alrai.common.type.CharacterBytes;
import io.alrai.common.type.Collations;
import io.alrai.common.type.MysqlType;
import io.alrai.executor.fragment.KeyColumn;
import io.alrai.executor.fragment.SlotValues.Kind;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Strings and binary strings as keys. */
final class StringKeys {
  private static final String BINARY = "binary";

  private final CollationWeights weights;
  private final Collations collations;

  /**
   * {@code character_set_results = NULL}: values that a mysqld gave are in the character set of
   * their column.
   */
  private static final String UNCONVERTED = "null";

  /** Character set of the texts; empty where it is not known and only ASCII is certain. */
  private final String textCharset;

  private final boolean mayAsk;

  StringKeys(CollationWeights weights, Collations collations, String textCharset, boolean mayAsk) {
    this.weights = weights;
    this.collations = collations;
    this.textCharset = textCharset;
    this.mayAsk = mayAsk;
  }

  /** The canonical bytes, or null when it is not certain what the value is to the column. */
  byte @Nullable [] canonical(KeyColumn column, byte[] given, Kind kind, Use use) {
    if (column.charset().equals(BINARY)) {
      return kind == Kind.STRING || kind == Kind.BINARY ? bytes(column, given, use) : null;
    }
    boolean text =
        kind == Kind.STRING
            || (use == Use.STORE && kind == Kind.INTEGER && IntegerKeys.isCanonical(given));
    if (!text) {
      return null;
    }
    boolean padded =
        collations.ofName(column.collation()).map(Collations.Collation::padSpace).orElse(true);
    if (use == Use.STORE && !CharacterBytes.of(charsetOf(column)).areWhole(given)) {
      return null; // it is stored up to its first wrong byte, or with question marks
    }
    int length =
        padded || column.type() == MysqlType.CHAR ? withoutTrailing(given, ' ') : given.length;
    if (use == Use.STORE && perhapsTooLong(column, given, length)) {
      return null;
    }
    return text(column, Arrays.copyOf(given, length), padded);
  }

  private boolean perhapsTooLong(KeyColumn column, byte[] given, int length) {
    if (column.length() == 0) {
      return true;
    }
    if (length <= column.length()) {
      return false;
    }
    if (!isUtf8(charsetOf(column))) {
      return true;
    }
    int characters = 0;
    for (int i = 0; i < length; i++) {
      characters += (given[i] & 0xc0) != 0x80 ? 1 : 0;
    }
    return characters > column.length();
  }

  private static byte @Nullable [] bytes(KeyColumn column, byte[] given, Use use) {
    if (use == Use.STORE && (column.length() == 0 || given.length > column.length())) {
      return null;
    }
    return column.type() == MysqlType.CHAR
        ? Arrays.copyOf(given, withoutTrailing(given, 0))
        : given;
  }

  private byte @Nullable [] text(KeyColumn column, byte[] given, boolean padded) {
    String collation = column.collation();
    String from = charsetOf(column);
    boolean ascii = AsciiWeights.isAscii(given, given.length);
    if (collation.endsWith("_bin")) {
      if (ascii || sameBytes(from, column.charset())) {
        return given;
      }
      return mayAsk && !from.isEmpty() ? weights.convert(given, from, column.charset()) : null;
    }
    AsciiWeights table = table(column);
    if (ascii && table != null) {
      return padded
          ? trimmed(table.of(given, given.length), table.blank())
          : table.of(given, given.length);
    }
    if (!mayAsk || from.isEmpty()) {
      return null;
    }
    byte[] asked = weights.ask(given, from, column.charset(), collation);
    return asked == null || !padded ? asked : trimmed(asked, blank(column));
  }

  private String charsetOf(KeyColumn column) {
    return textCharset.equals(UNCONVERTED) ? column.charset() : textCharset;
  }

  private static boolean sameBytes(String from, String to) {
    return from.equals(to) || (from.equals("utf8mb3") && to.equals("utf8mb4"));
  }

  private static boolean isUtf8(String charset) {
    return charset.equals("utf8mb4") || charset.equals("utf8mb3");
  }

  private @Nullable AsciiWeights table(KeyColumn column) {
    if (mayAsk) {
      weights.learn(column.charset(), column.collation());
    }
    return weights.known(column.collation());
  }

  private byte[] blank(KeyColumn column) {
    byte[] weight =
        weights.ask(new byte[] {' '}, textCharset, column.charset(), column.collation());
    return weight == null ? new byte[0] : weight;
  }

  private static int withoutTrailing(byte[] given, int unwanted) {
    int length = given.length;
    while (length > 0 && given[length - 1] == unwanted) {
      length--;
    }
    return length;
  }

  /** Weights without those of trailing blanks, which padding would make equal to none. */
  private static byte[] trimmed(byte[] given, byte[] blank) {
    if (blank.length == 0) {
      return given;
    }
    int length = given.length;
    while (length >= blank.length
        && Arrays.equals(given, length - blank.length, length, blank, 0, blank.length)) {
      length -= blank.length;
    }
    return length == given.length ? given : Arrays.copyOf(given, length);
  }
}
