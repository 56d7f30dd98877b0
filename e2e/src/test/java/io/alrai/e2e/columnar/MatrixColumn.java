package io.alrai.e2e.columnar;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * A column of the tables over which {@link ExpressionMatrixIT} evaluates expressions.
 *
 * @param name of the column, and of its type in the ledger
 * @param type as it is declared
 * @param sort what the values are
 * @param tame values that arithmetic stays in range with, as literals
 * @param wild values at the borders
 */
record MatrixColumn(String name, String type, Sort sort, List<String> tame, List<String> wild) {
  /** What the values of a column are. */
  enum Sort {
    EXACT,
    DOUBLE,
    TEMPORAL,
    /** Text of which different strings can be equal. */
    FOLDED,
    TEXT,
    OTHER
  }

  private static final List<String> ASCII =
      List.of("''", "'a'", "'A'", "'a '", "'b'", "'abc'", "'ABC'", "'1'", "'12'", "'x_%'", "'ss'");
  private static final List<String> ASCII_WILD =
      List.of(
          "' '", "'  a'", "'a\\\\b'", "'a%'", "'\\t'", "'~'", "'_'", "'2020-01-01'", "'-1.5e3'");
  private static final List<String> BEYOND =
      List.of(
          "'ä'",
          "'Ä'",
          "'é'",
          "'aé'",
          "'ß'",
          "'ab\u0001'",
          "'a\u0301'",
          "'😀'",
          "'ﬁ'",
          "'Ｗ'",
          "'ab\u200d'");

  /** All of them; those that no column index reads, too. */
  static final List<MatrixColumn> ALL =
      List.of(
          exact("i1", "TINYINT", "-3,-1,0,1,2,5", "-128,127"),
          exact("u1", "TINYINT UNSIGNED", "0,1,2,3,7", "255,128"),
          exact("i4", "INT", "-70,-2,0,1,3,28,54,99", "-2147483648,2147483647"),
          exact("u4", "INT UNSIGNED", "0,1,2,5,1999", "4294967295,2147483648"),
          exact("n4", "INT NOT NULL", "-1,0,1,2,4", "2147483647"),
          exact("i8", "BIGINT", "-9,-1,0,1,2,7", "-9223372036854775808,9223372036854775807"),
          exact("u8", "BIGINT UNSIGNED", "0,1,2,6", "18446744073709551615,9223372036854775808"),
          exact("yr", "YEAR", "1970,1999,2000,2024", "1901,2155"),
          exact("d0", "DECIMAL(10,0)", "-2,0,1,3,28,54", "9999999999,-9999999999"),
          exact("d2", "DECIMAL(12,2)", "-1.50,0,0.01,1,2.50,10", "9999999999.99,-0.01"),
          exact("d4", "DECIMAL(15,4)", "1.9286,-0.3333,0,1,1.5000,2", "99999999999.9999,0.0001"),
          exact("d9", "DECIMAL(20,10)", "0.3333333333,1.5,0,-2", "9999999999.9999999999"),
          exact("dw", "DECIMAL(38,6)", "0.5,1,-7.125,0", "99999999999999999999999999999999.999999"),
          of("fl", "DOUBLE", Sort.DOUBLE, "0,0.5,-0.25,1,3,1024", "1e300,-1e-300,0.1,1e17"),
          of("f4", "FLOAT", Sort.OTHER, "0,0.5,-1", "1e30,0.1"),
          of(
              "da",
              "DATE",
              Sort.TEMPORAL,
              "'2020-02-29','2020-01-31','1999-12-31','2024-06-15'",
              "'1000-01-01','9999-12-31'"),
          of(
              "t0",
              "DATETIME",
              Sort.TEMPORAL,
              "'2020-02-29 00:00:00','2020-01-31 23:59:59','1999-12-31 12:30:00'",
              "'1000-01-01 00:00:00','9999-12-31 23:59:59'"),
          of(
              "t6",
              "DATETIME(6)",
              Sort.TEMPORAL,
              "'2020-02-29 00:00:00','2020-01-31 23:59:59.999999','2024-06-15 01:02:03.5'",
              "'9999-12-31 23:59:59.999999','1000-01-01 00:00:00.000001'"),
          of("ts", "TIMESTAMP NULL", Sort.OTHER, "'2020-02-29 00:00:00'", "'1970-01-02 00:00:01'"),
          of("tm", "TIME", Sort.OTHER, "'10:00:00','-01:30:00'", "'838:59:59'"),
          text("sa", "VARCHAR(12) COLLATE utf8mb4_0900_ai_ci", Sort.FOLDED, ASCII, ASCII_WILD),
          text("xa", "VARCHAR(12) COLLATE utf8mb4_0900_ai_ci", Sort.FOLDED, ASCII, BEYOND),
          text("ca", "CHAR(12) COLLATE utf8mb4_0900_ai_ci", Sort.FOLDED, ASCII, ASCII_WILD),
          text("sg", "VARCHAR(12) COLLATE utf8mb4_general_ci", Sort.FOLDED, ASCII, ASCII_WILD),
          text("xg", "VARCHAR(12) COLLATE utf8mb4_general_ci", Sort.FOLDED, ASCII, BEYOND),
          text("sb", "VARCHAR(12) COLLATE utf8mb4_bin", Sort.FOLDED, ASCII, BEYOND),
          text("s9", "VARCHAR(12) COLLATE utf8mb4_0900_bin", Sort.TEXT, ASCII, BEYOND),
          text("sc", "VARCHAR(12) COLLATE utf8mb4_0900_as_cs", Sort.TEXT, ASCII, BEYOND),
          text("sl", "VARCHAR(12) CHARACTER SET latin1", Sort.FOLDED, ASCII, List.of("'ä'", "'é'")),
          text("bi", "VARBINARY(24)", Sort.TEXT, ASCII, List.of("x'00ff'", "x'c3a4'", "x'e4'")),
          text("en", "ENUM('a','B','c','')", Sort.OTHER, List.of("'a'", "'B'"), List.of("''")),
          of("bt", "BIT(8)", Sort.OTHER, "b'0',b'1'", "b'11111111'"));

  /** Those that column indexes read. */
  static final List<MatrixColumn> READ =
      ALL.stream()
          .filter(column ->
              !List.of("f4", "ts", "tm", "ca", "sc", "sl", "en", "bt").contains(column.name()))
          .toList();

  private static MatrixColumn exact(String name, String type, String tame, String wild) {
    return of(name, type, Sort.EXACT, tame, wild);
  }

  private static MatrixColumn of(String name, String type, Sort sort, String tame, String wild) {
    return new MatrixColumn(name, type, sort, List.of(tame.split(",")), List.of(wild.split(",")));
  }

  private static MatrixColumn text(
      String name, String type, Sort sort, List<String> tame, List<String> wild) {
    return new MatrixColumn(name, type, sort, tame, wild);
  }

  boolean nullable() {
    return !type.contains("NOT NULL");
  }

  /** This many values: all tame ones first, in an order of chance, or all values. */
  List<String> values(int count, boolean onlyTame, Random dice) {
    List<String> all =
        new ArrayList<>(onlyTame ? tame : Stream.concat(tame.stream(), wild.stream()).toList());
    if (nullable()) {
      all.add("NULL");
    }
    List<String> values = new ArrayList<>();
    while (values.size() < count) {
      Collections.shuffle(all, dice);
      values.addAll(all);
    }
    return values.subList(0, count);
  }
}
