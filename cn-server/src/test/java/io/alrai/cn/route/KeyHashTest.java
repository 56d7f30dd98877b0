package io.alrai.cn.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.route.KeyHash.Use;
import io.alrai.common.type.AsciiWeights;
import io.alrai.common.type.Collations;
import io.alrai.common.type.MysqlType;
import io.alrai.executor.fragment.KeyColumn;
import io.alrai.executor.fragment.SlotValues.Kind;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KeyHashTest {
  private static final KeyColumn INT =
      new KeyColumn("c", MysqlType.INT, false, 11, 0, "", "", true);
  private static final KeyColumn UNSIGNED =
      new KeyColumn("c", MysqlType.BIGINT, true, 20, 0, "", "", true);
  private static final KeyColumn DECIMAL =
      new KeyColumn("c", MysqlType.DECIMAL, false, 6, 2, "", "", true);
  private static final KeyColumn DATE =
      new KeyColumn("c", MysqlType.DATE, false, 0, 0, "", "", true);
  private static final KeyColumn DATETIME =
      new KeyColumn("c", MysqlType.DATETIME, false, 0, 3, "", "", true);
  private static final KeyColumn PADDED =
      new KeyColumn("c", MysqlType.VARCHAR, false, 5, 0, "utf8mb4", "pad_ci", true);
  private static final KeyColumn CHAR =
      new KeyColumn("c", MysqlType.CHAR, false, 5, 0, "utf8mb4", "nopad_ci", true);
  private static final KeyColumn VARCHAR =
      new KeyColumn("c", MysqlType.VARCHAR, false, 5, 0, "utf8mb4", "nopad_ci", true);
  private static final KeyColumn BINARY =
      new KeyColumn("c", MysqlType.CHAR, false, 4, 0, "binary", "binary", true);
  private static final KeyColumn BIN =
      new KeyColumn("c", MysqlType.VARCHAR, false, 5, 0, "utf8mb4", "utf8mb4_bin", true);

  private static final Collations COLLATIONS =
      new Collations(
          List.of(
              new Collations.Collation(1, "pad_ci", "utf8mb4", false, true),
              new Collations.Collation(2, "nopad_ci", "utf8mb4", true, false),
              new Collations.Collation(3, "utf8mb4_bin", "utf8mb4", false, true)));

  private boolean mayAsk = true;
  private String textCharset = "utf8mb4";

  /** Upper case is the weight; the accents of two letters do not count. */
  private static final class UpperCase implements CollationWeights {
    @Override
    public AsciiWeights known(String collation) {
      byte[][] weights = new byte[128][];
      for (int c = 0; c < weights.length; c++) {
        weights[c] = weigh(String.valueOf((char) c));
      }
      return new AsciiWeights(weights);
    }

    @Override
    public void learn(String charset, String collation) {}

    @Override
    public byte[] ask(byte[] text, String textCharset, String charset, String collation) {
      return weigh(new String(text, StandardCharsets.UTF_8));
    }

    @Override
    public byte[] convert(byte[] text, String from, String to) {
      return new String(text, StandardCharsets.UTF_8).getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] weigh(String text) {
      return text.toUpperCase(Locale.ROOT)
          .replace('Ä', 'A')
          .replace('É', 'E')
          .getBytes(StandardCharsets.UTF_8);
    }
  }

  @Test
  void integersInEveryExactForm() {
    assertSame(INT, integer("5"), string("5"));
    assertSame(INT, integer("-5"), string("-5"));
    assertEquals(PartitionHash.ofLong(5), hash(INT, Use.STORE, integer("5")));
    assertSame(UNSIGNED, integer("18446744073709551615"), integer("18446744073709551615"));
    for (String inexact : new String[] {"+5", " 5", "5 ", "5.0", "", "-", "-0", "x"}) {
      assertUnknown(INT, string(inexact));
    }
    assertUnknown(INT, new FixedValues().of(Kind.DECIMAL, "5.0"));
    assertUnknown(INT, new FixedValues().of(Kind.FLOAT, "5e0"));
    assertUnknown(INT, integer("18446744073709551615"));
  }

  @Test
  void textsOfDigitsAreStoredAsTheirNumber() {
    KeyColumn big = new KeyColumn("c", MysqlType.BIGINT, false, 20, 0, "", "", true);
    for (String number : List.of("1234567890123456789", "9223372036854775807", "-7", "0")) {
      String zeros = number.startsWith("-") ? "-00" + number.substring(1) : "00" + number;
      Long expected = PartitionHash.ofLong(Long.parseLong(number));
      assertEquals(expected, hash(big, Use.STORE, string(number)));
      assertEquals(expected, hash(big, Use.STORE, string(zeros)));
      assertFalse(known(big, Use.MATCH, string(zeros)));
    }
    for (String unsure : List.of("9223372036854775808", "9999999999999999999", "-0", "00-1", "-")) {
      assertFalse(known(big, Use.STORE, string(unsure)), unsure);
    }
    assertFalse(known(INT, Use.STORE, string("02147483648")));
    KeyColumn year = new KeyColumn("c", MysqlType.YEAR, true, 4, 0, "", "", true);
    assertFalse(known(year, Use.STORE, string("01999")));
  }

  @Test
  void integersThatDoNotFitAreNotStored() {
    assertTrue(known(INT, Use.MATCH, integer("2147483648")));
    assertFalse(known(INT, Use.STORE, integer("2147483648")));
    assertTrue(known(INT, Use.STORE, integer("-2147483648")));
    assertFalse(known(UNSIGNED, Use.STORE, integer("-1")));
    assertFalse(known(UNSIGNED, Use.STORE, integer("18446744073709551616")));
    KeyColumn tiny = new KeyColumn("c", MysqlType.TINYINT, true, 3, 0, "", "", true);
    assertTrue(known(tiny, Use.STORE, integer("255")));
    assertFalse(known(tiny, Use.STORE, integer("256")));
    KeyColumn year = new KeyColumn("c", MysqlType.YEAR, true, 4, 0, "", "", true);
    assertFalse(known(year, Use.MATCH, integer("20")));
    assertTrue(known(year, Use.MATCH, integer("2020")));
  }

  @Test
  void decimals() {
    FixedValues plain = new FixedValues().of(Kind.DECIMAL, "12.5");
    assertSame(DECIMAL, plain, new FixedValues().of(Kind.DECIMAL, "012.500"), string("12.50"));
    assertSame(
        DECIMAL,
        integer("0"),
        integer("-0"),
        new FixedValues().of(Kind.DECIMAL, "0.00"),
        new FixedValues().of(Kind.DECIMAL, "-.0"),
        new FixedValues().of(Kind.DECIMAL, "0."));
    assertSame(
        DECIMAL,
        new FixedValues().of(Kind.DECIMAL, ".5"),
        new FixedValues().of(Kind.DECIMAL, "0.5"));
    assertSame(DECIMAL, integer("100"), new FixedValues().of(Kind.DECIMAL, "100.0"));
    assertNotEquals(
        hash(DECIMAL, Use.MATCH, integer("1")), hash(DECIMAL, Use.MATCH, integer("10")));
    assertFalse(known(DECIMAL, Use.STORE, new FixedValues().of(Kind.DECIMAL, "1.255")));
    assertFalse(known(DECIMAL, Use.STORE, integer("10000")));
    assertTrue(known(DECIMAL, Use.STORE, integer("9999")));
    assertUnknown(DECIMAL, string("1e1"));
    assertUnknown(DECIMAL, string(""));
    assertUnknown(DECIMAL, string("1234567890123456"));
  }

  @Test
  void datesOnlyInTheirOwnForm() {
    assertSame(DATE, string("2024-02-29"), new FixedValues().of(Kind.TEMPORAL, "2024-02-29"));
    for (String other :
        new String[] {
          "2023-02-29", "2024-2-29", "20240229", "0000-00-00", "2024-13-01", "2024-02-29 00:00:00"
        }) {
      assertUnknown(DATE, string(other));
    }
    assertUnknown(DATE, integer("20240229"));
  }

  @Test
  void dateTimesWithoutNeedlessZeros() {
    assertSame(
        DATETIME,
        string("2024-02-29 00:00:00"),
        string("2024-02-29"),
        string("2024-02-29 00:00:00.000"));
    assertSame(DATETIME, string("2024-02-29 01:02:03.5"), string("2024-02-29 01:02:03.500"));
    assertTrue(known(DATETIME, Use.MATCH, string("2024-02-29 01:02:03.1234")));
    assertFalse(known(DATETIME, Use.STORE, string("2024-02-29 01:02:03.1234")));
    for (String other :
        new String[] {
          "2024-02-29 24:00:00",
          "2024-02-29T00:00:00",
          "2024-02-29 00:00:00+01:00",
          "2024-02-29 00:00:00.1234567",
          "2024-02-29 00:60:00"
        }) {
      assertUnknown(DATETIME, string(other));
    }
  }

  @Test
  void stringsByTheirWeights() {
    assertSame(VARCHAR, string("abc"), string("ABC"), string("äbc"));
    assertNotEquals(hash(VARCHAR, Use.MATCH, string("a")), hash(VARCHAR, Use.MATCH, string("a ")));
    assertSame(PADDED, string("a"), string("A  "), string("ä "));
    assertSame(CHAR, string("a"), string("A  "));
    assertSame(BIN, string("ä"), string("ä "));
    assertNotEquals(hash(BIN, Use.MATCH, string("a")), hash(BIN, Use.MATCH, string("A")));
    assertUnknown(VARCHAR, new FixedValues().of(Kind.BINARY, "a"));
    assertFalse(known(VARCHAR, Use.MATCH, integer("1")));
    assertEquals(hash(VARCHAR, Use.MATCH, string("17")), hash(VARCHAR, Use.STORE, integer("17")));
  }

  @Test
  void stringsThatMayBeCutAreNotStored() {
    assertTrue(known(VARCHAR, Use.STORE, string("äöüäö")));
    assertFalse(known(VARCHAR, Use.STORE, string("äöüäöü")));
    assertFalse(known(VARCHAR, Use.STORE, string("abcde ")));
    assertTrue(known(PADDED, Use.STORE, string("abcde ")));
    KeyColumn unknownLength =
        new KeyColumn("c", MysqlType.VARCHAR, false, 0, 0, "utf8mb4", "nopad_ci", true);
    assertFalse(known(unknownLength, Use.STORE, string("a")));
    assertTrue(known(unknownLength, Use.MATCH, string("a")));
  }

  @Test
  void withoutAskingOnlyAsciiIsCertain() {
    mayAsk = false;
    textCharset = "";
    assertTrue(known(VARCHAR, Use.MATCH, string("abc")));
    assertUnknown(VARCHAR, string("ä"));
    assertUnknown(BIN, string("ä"));
    assertTrue(known(BIN, Use.MATCH, string("a")));
  }

  @Test
  void bytes() {
    assertSame(
        BINARY, string("a"), string("a\u0000"), new FixedValues().of(Kind.BINARY, "a\u0000"));
    assertNotEquals(hash(BINARY, Use.MATCH, string("a")), hash(BINARY, Use.MATCH, string("A")));
    assertFalse(known(BINARY, Use.STORE, string("abcde")));
  }

  @Test
  void nullHasAPlace() {
    FixedValues nothing = new FixedValues().of(Kind.NULL, "");
    assertEquals(PartitionHash.NULL, hash(INT, Use.STORE, nothing));
    assertEquals(PartitionHash.NULL, hash(VARCHAR, Use.STORE, nothing));
  }

  @Test
  void nullBecomesAnotherValueWhereNoColumnHoldsIt() {
    KeyColumn id = new KeyColumn("c", MysqlType.INT, false, 11, 0, "", "", false);
    assertFalse(new KeyHash(Use.STORE).addNull(id));
    assertTrue(new KeyHash(Use.MATCH).addNull(id));
    assertTrue(new KeyHash(Use.STORE).addNull(INT));
  }

  @Test
  void hashIsTheFloorModulo() {
    KeyHash negative = new KeyHash(Use.MATCH);
    assertTrue(negative.add(INT, integer("-7"), 0, strings()));
    assertEquals(1, negative.modulo(INT, 4));
    KeyHash large = new KeyHash(Use.MATCH);
    assertTrue(large.add(UNSIGNED, integer("18446744073709551615"), 0, strings()));
    assertEquals(5, large.modulo(UNSIGNED, 10));
    KeyHash nothing = new KeyHash(Use.MATCH);
    assertTrue(nothing.addNull(INT));
    assertEquals(0, nothing.modulo(INT, 10));
  }

  private static FixedValues integer(String digits) {
    return new FixedValues().integer(digits);
  }

  private static FixedValues string(String text) {
    return new FixedValues().string(text);
  }

  private StringKeys strings() {
    return new StringKeys(new UpperCase(), COLLATIONS, textCharset, mayAsk);
  }

  private @Nullable Long hash(KeyColumn column, Use use, FixedValues value) {
    KeyHash hash = new KeyHash(use);
    return hash.add(column, value, 0, strings()) ? hash.hash() : null;
  }

  private boolean known(KeyColumn column, Use use, FixedValues value) {
    return hash(column, use, value) != null;
  }

  private void assertSame(KeyColumn column, FixedValues... values) {
    Long expected = hash(column, Use.MATCH, values[0]);
    assertTrue(expected != null);
    for (FixedValues value : values) {
      assertEquals(expected, hash(column, Use.MATCH, value));
    }
  }

  private void assertUnknown(KeyColumn column, FixedValues value) {
    assertFalse(known(column, Use.MATCH, value));
    assertFalse(known(column, Use.STORE, value));
  }
}
