package io.alrai.cn.plan;

import io.alrai.cn.ccl.ShapeRules;
import io.alrai.executor.fragment.SlotValues;
import io.alrai.optimizer.api.Planned;
import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.api.shape.ShapeScanner;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.api.shape.TextSlotValues;
import io.alrai.optimizer.api.text.ParameterSource;
import org.jspecify.annotations.Nullable;

/**
 * A statement with its plan and values, for one execution.
 *
 * @param planned what to do
 * @param statement shape and slots; valid until the event loop's next scan unless {@link #detached}
 * @param values of the slots
 * @param rules the CCL rules that may be about it; null for none
 */
public record PlannedStatement(
    Planned planned, ShapedStatement statement, SlotValues values, @Nullable ShapeRules rules) {
  /** One that no CCL rule is about, or that has its place. */
  public PlannedStatement(Planned planned, ShapedStatement statement, SlotValues values) {
    this(planned, statement, values, null);
  }

  /** A copy for a run that outlives the event loop's scanner. */
  public PlannedStatement detached() {
    if (statement instanceof ShapeScanner scanner) {
      ShapedText lasting = scanner.snapshot();
      return new PlannedStatement(
          planned, lasting, new TextSlotValues(lasting, ParameterSource.NONE));
    }
    return this;
  }
}
