package io.alrai.optimizer.logical;

import io.alrai.executor.fragment.SlotValues;
import io.alrai.executor.fragment.TextCollation;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.api.stats.StatisticsSource;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.syntax.SourceText;
import java.nio.charset.Charset;
import java.util.List;
import org.apache.calcite.plan.RelOptCluster;

/**
 * What all binders of one statement share. One thread.
 *
 * @param statement the shaped text
 * @param text its tokens
 * @param values of its slots
 * @param charset of strings in {@code values}
 * @param names what names mean
 * @param statistics of tables
 * @param literalCollation that strings of the statement's text have
 * @param cluster makes nodes
 * @param expressions makes expressions
 * @param subqueries the uncorrelated scalar subqueries found so far
 */
record BindContext(
    ShapedStatement statement,
    SourceText text,
    SlotValues values,
    Charset charset,
    Planner.Context names,
    StatisticsSource statistics,
    TextCollation literalCollation,
    RelOptCluster cluster,
    Expressions expressions,
    List<BoundQuery> subqueries) {

  /** A piece of the statement as the client wrote it. */
  String source(Span span) {
    StringBuilder source = new StringBuilder();
    int position = span.start();
    List<Span> slots = text.slots();
    for (int slot = 0; slot < slots.size(); slot++) {
      Span place = slots.get(slot);
      if (span.holds(place)) {
        source.append(text.text(), position, place.start()).append(statement.slotText(slot));
        position = place.end();
      }
    }
    return source.append(text.text(), position, span.end()).toString();
  }
}
