package io.alrai.optimizer.golden;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.alrai.executor.exchange.RecordCodec;
import io.alrai.executor.fragment.AnalyticPlan;
import io.alrai.optimizer.api.AnalyticalAnswer;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.api.shape.TextSlotValues;
import io.alrai.optimizer.api.text.ParameterSource;
import io.alrai.optimizer.lower.FragmentPlanner;
import io.alrai.tpch.TpchQueries;
import io.alrai.tpch.TpchQuery;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The plans of the TPC-H queries arrive at a column node as they were made. */
class SentPlansTest {
  @Test
  void everyPlanArrivesAsItWasMade() throws IOException {
    Planner.Context context =
        new Planner.Context(
            CatalogText.read(
                Files.readString(
                    Path.of("src/test/resources/golden/catalog.txt"), StandardCharsets.UTF_8)),
            "tpch",
            false,
            false);
    RecordCodec codec = new RecordCodec();
    for (TpchQuery query : TpchQueries.all()) {
      ShapedText statement = ShapedText.of(query.sql());
      AnalyticalAnswer answer =
          new FragmentPlanner(TpchStatistics.source())
              .plan(
                  statement,
                  new TextSlotValues(statement, ParameterSource.NONE),
                  StandardCharsets.UTF_8,
                  context);
      AnalyticPlan plan =
          assertInstanceOf(AnalyticalAnswer.Planned.class, answer, answer.toString()).plan();
      assertEquals(plan, codec.decode(codec.encode(plan), AnalyticPlan.class), query.name());
    }
  }
}
