package io.alrai.e2e.columnar;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What column indexes answer, cell by cell: a line for each operation, or for each operation and
 * left operand; in it a sign for each column of {@link MatrixColumn#ALL}, or of {@link
 * MatrixColumn#READ} after a left operand.
 *
 * <pre>
 *  =   the same as a mysqld
 *  A.. not taken, or left while it runs: the legend has the reasons
 * </pre>
 */
final class MatrixLedger {
  private static final Path FILE = Path.of("src/test/resources/columnar/expressions.ledger");
  private static final String SIGNS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

  private final Map<String, String> reasons = new LinkedHashMap<>();
  private final Map<String, String> lines = new LinkedHashMap<>();

  /** The ledger in the repository. */
  static MatrixLedger recorded() throws IOException {
    MatrixLedger ledger = new MatrixLedger();
    for (String line : Files.readAllLines(FILE)) {
      String[] parts = line.split("\\|", 2);
      if (parts.length == 2) {
        ledger.lines.put(parts[0].strip(), parts[1].strip());
      }
    }
    return ledger;
  }

  /** Notes the verdicts of a line, one for each column. */
  void add(String line, List<String> verdicts) {
    lines.put(line, verdicts.stream().map(this::sign).collect(Collectors.joining()));
  }

  private String sign(String verdict) {
    if (verdict.equals(MatrixJudge.SAME)) {
      return "=";
    }
    String reason =
        verdict
            .replaceFirst(
                "^column indexes do not take (The analytical executor does not take )?", "")
            .replaceAll("DECIMAL\\(\\d+,\\d+\\)|BIGINT(?! UNSIGNED)|DOUBLE", "a number")
            .replaceAll("STRING\\(\\d+\\) \\w+|the string '[^']*'", "text")
            .replaceAll("\\b(DATE|DATETIME)\\b", "a date")
            .replaceAll("\\bUNSIGNED\\b", "without sign")
            .replaceAll(" NOT NULL", "");
    return reasons.computeIfAbsent(
        reason, _ -> SIGNS.substring(reasons.size() % SIGNS.length()).substring(0, 1));
  }

  /** Lines in which the other has a cell as the same that this one has not. */
  Set<String> lostSince(MatrixLedger other) {
    Set<String> lost = new TreeSet<>();
    other.lines.forEach((line, cells) -> {
      String own = Objects.requireNonNullElse(lines.get(line), "");
      for (int i = 0; i < cells.length(); i++) {
        if (cells.charAt(i) == '=' && (i >= own.length() || own.charAt(i) != '=')) {
          lost.add(line);
        }
      }
    });
    return lost;
  }

  /** How many cells there are, and how many of them are the same. */
  long cells() {
    return lines.values().stream().mapToLong(String::length).sum();
  }

  long same() {
    return lines.values().stream().flatMapToInt(String::chars).filter(sign -> sign == '=').count();
  }

  /** Takes the repository's place. */
  void record() throws IOException {
    List<String> text = new ArrayList<>();
    text.add("# Made by ExpressionMatrixIT -Dmatrix.record=true. = is the same as a mysqld; else:");
    reasons.forEach((reason, sign) -> text.add("# " + sign + " " + reason));
    text.add("# Columns of lines with one operand: " + names(MatrixColumn.ALL));
    text.add("# Columns of lines with two, the right one: " + names(MatrixColumn.READ));
    lines.forEach((line, cells) -> text.add(line + " | " + cells));
    Files.createDirectories(FILE.getParent());
    Files.write(FILE, text);
  }

  private static String names(List<MatrixColumn> columns) {
    return columns.stream().map(MatrixColumn::name).collect(Collectors.joining(" "));
  }
}
