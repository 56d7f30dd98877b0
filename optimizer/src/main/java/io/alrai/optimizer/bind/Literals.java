package io.alrai.optimizer.bind;

import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Query;
import java.util.List;
import java.util.Optional;

/**
 * The few literals that structure depends on. Whoever looks at one makes the plan valid for this
 * text only, which is remembered. One thread.
 */
public final class Literals {
  private final ShapedStatement statement;
  private final List<Span> slots;
  private boolean looked;

  /** Of that statement, whose slots stand there in its shape. */
  public Literals(ShapedStatement statement, List<Span> slots) {
    this.statement = statement;
    this.slots = List.copyOf(slots);
  }

  /** Whether the plan depends on a literal. */
  public boolean looked() {
    return looked;
  }

  /** Makes the plan valid for this text only. */
  public void depend() {
    looked = true;
  }

  /** The position that an item of ORDER BY or GROUP BY is, counted from 1. */
  public Optional<Integer> position(Expr expr) {
    if (expr.bare() instanceof Expr.Literal literal) {
      return number(literal.text());
    }
    if (!(expr.bare() instanceof Expr.Slot slot) || statement.isParameter(slot.index())) {
      return Optional.empty();
    }
    looked = true;
    return number(statement.slotText(slot.index()));
  }

  private static Optional<Integer> number(String text) {
    return text.matches("[0-9]{1,6}") ? Optional.of(Integer.parseInt(text)) : Optional.empty();
  }

  /** Whether an expression is a parameter of the client, and nothing else. */
  public boolean isParameter(Expr expr) {
    return expr.bare() instanceof Expr.Slot slot && statement.isParameter(slot.index());
  }

  /** The kind of a slot's value; OTHER for a parameter, whose kind may change. */
  ValueKind kind(int slot) {
    if (statement.isParameter(slot)) {
      return ValueKind.OTHER;
    }
    String text = text(slot);
    boolean number = !text.isEmpty() && "+-.0123456789".indexOf(text.charAt(0)) >= 0;
    return number && !text.startsWith("0x") ? ValueKind.NUMBER : ValueKind.STRING;
  }

  /** The slot's text. */
  public String text(int slot) {
    looked = true;
    return statement.slotText(slot);
  }

  /** A piece of the shape with its literals in it, as the client wrote it. */
  public String source(Span span, String shape) {
    StringBuilder text = new StringBuilder();
    int position = span.start();
    for (int slot = 0; slot < slots.size(); slot++) {
      Span place = slots.get(slot);
      if (span.holds(place)) {
        text.append(shape, position, place.start()).append(text(slot));
        position = place.end();
      }
    }
    return text.append(shape, position, span.end()).toString();
  }

  /** The name that an alias gives. */
  public String name(Query.Alias alias) {
    if (alias.slot() < 0) {
      return alias.name();
    }
    String text = text(alias.slot());
    return text.length() < 2 ? text : text.substring(1, text.length() - 1);
  }
}
