package io.alrai.tpch;

import io.trino.tpch.TpchTable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Known answers to the 22 queries, for scale factors 0.01 and 1 (the latter without query 16, whose
 * answer is long).
 */
public final class TpchReference {
  private TpchReference() {}

  /**
   * The answer to a query at a scale factor, as {@link Cell.Reference}s; empty if it is not known.
   * Column names are left out.
   */
  public static Optional<ResultRows> answer(TpchQuery query, double scaleFactor) {
    if (scaleFactor == 0.01) {
      // the generator's own jar brings them
      return read(TpchTable.class, "/io/trino/tpch/queries/q" + query.number() + ".result");
    }
    if (scaleFactor == 1) {
      return read(TpchReference.class, "sf1/" + query.name() + ".result");
    }
    return Optional.empty();
  }

  private static Optional<ResultRows> read(Class<?> from, String resource) {
    try (InputStream in = from.getResourceAsStream(resource)) {
      return in == null
          ? Optional.empty()
          : Optional.of(parse(new String(in.readAllBytes(), StandardCharsets.UTF_8)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Lines of values with a bar between, and perhaps at the end; lines with two dashes are notes.
   */
  static ResultRows parse(String text) {
    List<List<Cell>> rows = new ArrayList<>();
    for (String line : text.lines().toList()) {
      if (line.isBlank() || line.startsWith("--")) {
        continue;
      }
      List<Cell> row = new ArrayList<>();
      String values = line.endsWith("|") ? line.substring(0, line.length() - 1) : line;
      for (String value : values.split("\\|", -1)) {
        row.add(new Cell.Reference(value));
      }
      rows.add(row);
    }
    return new ResultRows(List.of(), rows);
  }
}
