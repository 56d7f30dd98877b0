package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.testing.ScriptComparison.Difference;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Statements of the scripts whose answers differ today: {@code SCRIPT:LINE}, one to a line, each a
 * defect. A difference that is not listed fails the test; one that is gone is printed, to be taken
 * out. {@code -Dscripts.record=true} writes the list anew.
 */
final class KnownDifferences {
  private static final boolean RECORD = Boolean.getBoolean("scripts.record");

  private final Path file;
  private final Set<String> known;
  private final Set<String> recorded = new TreeSet<>();

  private KnownDifferences(Path file, Set<String> known) {
    this.file = file;
    this.known = known;
  }

  static KnownDifferences read(Path file) {
    try {
      return new KnownDifferences(
          file, Files.exists(file) ? new HashSet<>(Files.readAllLines(file)) : Set.of());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Checks the differences of one run of a script. */
  void check(String run, List<Difference> differences) {
    Set<String> found = new TreeSet<>();
    differences.forEach(difference -> found.add(run + ":" + difference.line()));
    if (RECORD) {
      record(found);
      return;
    }
    known.stream()
        .filter(line -> line.startsWith(run + ":") && !found.contains(line))
        .sorted()
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

  private void record(Set<String> found) {
    recorded.addAll(found);
    try {
      Files.write(file, recorded);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
