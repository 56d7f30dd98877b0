package io.alrai.tpch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

final class TpchQueriesTest {
  @Test
  void thereAre22() {
    List<TpchQuery> queries = TpchQueries.all();
    assertEquals(22, queries.size());
    for (int i = 0; i < 22; i++) {
      TpchQuery query = queries.get(i);
      assertEquals(i + 1, query.number());
      assertTrue(query.sql().startsWith("SELECT") || query.sql().startsWith("WITH"), query.name());
      assertTrue(!query.sql().endsWith(";"), query.name());
    }
    assertThrows(IllegalArgumentException.class, () -> TpchQueries.query(23));
  }

  @Test
  void limitsAreThoseOfTheText() {
    for (TpchQuery query : TpchQueries.all()) {
      if (query.order() instanceof TpchQuery.Order.Partial(List<Integer> _, int limit)) {
        boolean limited = query.sql().contains("LIMIT");
        assertEquals(limited, limit < Integer.MAX_VALUE, query.name());
        assertTrue(!limited || query.sql().endsWith("LIMIT " + limit), query.name());
      }
    }
  }

  @Test
  void everyQueryHasAnAnswerAtTheSmallestScale() {
    for (TpchQuery query : TpchQueries.all()) {
      ResultRows answer = TpchReference.answer(query, 0.01).orElseThrow();
      assertTrue(!answer.rows().isEmpty(), query.name());
    }
    assertTrue(TpchReference.answer(TpchQueries.query(1), 0.5).isEmpty());
  }

  @Test
  void answersAtScaleFactorOneAreThoseOfTheSpecification() {
    ResultRows pricing = TpchReference.answer(TpchQueries.query(1), 1).orElseThrow();
    assertEquals(new Cell.Reference("37734107.00"), pricing.rows().getFirst().get(2));
    ResultRows promotion = TpchReference.answer(TpchQueries.query(14), 1).orElseThrow();
    assertTrue(promotion.rows().getFirst().getFirst().text().startsWith("16.38"));
    assertEquals(
        List.of(16),
        TpchQueries.all().stream()
            .filter(query -> TpchReference.answer(query, 1).isEmpty())
            .map(TpchQuery::number)
            .toList());
  }

  @Test
  void anAnswerMatchesItself() {
    for (TpchQuery query : TpchQueries.all()) {
      ResultRows answer = TpchReference.answer(query, 0.01).orElseThrow();
      assertEquals(
          List.of(), TpchAnswers.compareWithReference(query, answer, answer).stream().toList());
    }
  }
}
