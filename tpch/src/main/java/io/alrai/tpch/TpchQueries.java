package io.alrai.tpch;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The 22 queries (TPC-H 2.4) with their validation parameters, in MySQL's SQL. Query 15 is the
 * variant with WITH instead of a view. The fraction of query 11 is that of scale factor 1 at any
 * scale.
 */
public final class TpchQueries {
  private static final int NO_LIMIT = Integer.MAX_VALUE;

  private TpchQueries() {}

  /** All, in order. */
  public static List<TpchQuery> all() {
    return IntStream.rangeClosed(1, 22).mapToObj(TpchQueries::query).toList();
  }

  /** One of them, from 1 to 22. */
  public static TpchQuery query(int number) {
    if (number < 1 || number > 22) {
      throw new IllegalArgumentException("TPC-H has queries 1 to 22, not " + number);
    }
    return new TpchQuery(number, text("q%02d.sql".formatted(number)).strip(), order(number));
  }

  private static TpchQuery.Order order(int number) {
    return switch (number) {
      case 3 -> new TpchQuery.Order.Partial(List.of(1, 2), 10);
      case 5, 11 -> new TpchQuery.Order.Partial(List.of(1), NO_LIMIT);
      case 10 -> new TpchQuery.Order.Partial(List.of(2), 20);
      case 18 -> new TpchQuery.Order.Partial(List.of(4, 3), 100);
      default -> new TpchQuery.Order.Total();
    };
  }

  private static String text(String resource) {
    try (InputStream in = TpchQueries.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("missing from the jar: " + resource);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
