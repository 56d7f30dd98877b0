package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.testing.ScriptComparison.Difference;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Statements of one script whose answers differ today: {@code RUN:LINE}, one to a line, each a
 * defect. A difference that is not listed fails the test; one that is gone is printed, to be taken
 * out. {@code -Dscripts.record=true} writes the lists of the scripts that run anew; a list without
 * lines is no file.
 *
 * @param file the list of one script
 */
record KnownDifferences(Path file) {
  private static final boolean RECORD = Boolean.getBoolean("scripts.record");

  /** The list of a script such as {@code dates.test}, beside the scripts. */
  static KnownDifferences of(Path scripts, String script) {
    return new KnownDifferences(
        scripts.resolve("known-differences").resolve(script.replace(".test", ".txt")));
  }

  /** Checks the differences of one run of the script. */
  void check(String run, List<Difference> differences) {
    Set<String> found = new TreeSet<>();
    differences.forEach(difference -> found.add(run + ":" + difference.line()));
    Set<String> known = read();
    if (RECORD) {
      known.removeIf(line -> line.startsWith(run + ":"));
      known.addAll(found);
      write(known);
      return;
    }
    known.stream()
        .filter(line -> line.startsWith(run + ":") && !found.contains(line))
        .forEach(line -> System.out.println("equal now, take it out of the list: " + line));
    List<Difference> fresh =
        differences.stream()
            .filter(difference -> !known.contains(run + ":" + difference.line()))
            .toList();
    System.out.println(run + ": " + found.size() + " known differences");
    assertEquals(
        0,
        fresh.size(),
        () -> fresh.stream().map(Difference::toString).collect(Collectors.joining("\n")));
  }

  private Set<String> read() {
    try {
      return Files.exists(file) ? new TreeSet<>(Files.readAllLines(file)) : new TreeSet<>();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write(Set<String> lines) {
    try {
      if (lines.isEmpty()) {
        Files.deleteIfExists(file);
      } else {
        Files.createDirectories(file.getParent());
        Files.write(file, lines);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
