package io.alrai.optimizer.logical;

import io.alrai.executor.fragment.SlotValues;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import org.apache.calcite.rex.RexNode;

/** Literals and parameters of the statement as typed expressions. One thread. */
final class SlotLiterals {
  private final BindContext context;

  SlotLiterals(BindContext context) {
    this.context = context;
  }

  /** A slot's value. */
  RexNode literal(int slot) {
    SlotValues values = context.values();
    Expressions expressions = context.expressions();
    return switch (values.kind(slot)) {
      case INTEGER -> {
        if (!values.fitsLong(slot)) {
          throw new NotCovered("a whole number of more than 64 bits");
        }
        yield expressions.whole(values.longValue(slot));
      }
      case DECIMAL ->
          expressions.exact(
              new BigDecimal(new String(values.bytes(slot), StandardCharsets.US_ASCII)));
      case STRING -> expressions.text(string(slot), context.literalCollation());
      case NULL -> expressions.nothing();
      case TEMPORAL -> TemporalText.parse(string(slot)).literal(expressions);
      case FLOAT -> throw new NotCovered("a floating point literal");
      case BINARY -> throw new NotCovered("a binary literal");
    };
  }

  /** A string slot's content. */
  String string(int slot) {
    return new String(context.values().bytes(slot), context.charset());
  }
}
