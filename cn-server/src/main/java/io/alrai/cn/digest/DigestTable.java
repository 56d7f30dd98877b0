package io.alrai.cn.digest;

import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.api.shape.ShapeScanner;
import io.alrai.optimizer.api.shape.ShapedText;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What one event loop has counted of statements, by shape and schema. It has room for {@value
 * #MOST_SHAPES} shapes, of {@value #MOST_BYTES} bytes in all; what comes after these is counted
 * together. The event loop only.
 */
final class DigestTable {
  static final int MOST_SHAPES = 4096;
  static final int MOST_BYTES = 4 << 20;

  private static final int SLOTS = MOST_SHAPES * 2;

  private final Consumer<ShapeName> unnamed;
  private @Nullable ShapeCount[] slots = new @Nullable ShapeCount[SLOTS];
  private final ShapeCount others = new ShapeCount("", null, false, ShapeName.NONE);
  private int shapes;
  private int bytes;

  /**
   * An empty table.
   *
   * @param unnamed takes what is to be named
   */
  DigestTable(Consumer<ShapeName> unnamed) {
    this.unnamed = unnamed;
  }

  /** Where a statement counts. */
  ShapeCount find(ShapedStatement statement, String schema) {
    int slot = slot(statement.shapeHash());
    while (true) {
      ShapeCount known = slots[slot];
      if (known == null) {
        return added(statement, schema, slot);
      }
      if (known.schema.equals(schema) && same(statement, known)) {
        return known;
      }
      slot = (slot + 1) & (SLOTS - 1);
    }
  }

  private static int slot(long hash) {
    return (int) (hash >>> 20) & (SLOTS - 1);
  }

  private static boolean same(ShapedStatement statement, ShapeCount known) {
    ShapedText shape = known.shape;
    if (shape == null
        || shape.shapeHash() != statement.shapeHash()
        || known.severalRows != severalRows(statement)) {
      return false;
    }
    return statement instanceof ShapeScanner scanner
        ? scanner.sameShape(shape)
        : statement instanceof ShapedText text && known.is(text);
  }

  private static boolean severalRows(ShapedStatement statement) {
    return statement.foldedRows() > 1;
  }

  private ShapeCount added(ShapedStatement statement, String schema, int slot) {
    if (shapes == MOST_SHAPES) {
      return others;
    }
    ShapedText text =
        statement instanceof ShapeScanner scanner
            ? scanner.snapshot()
            : statement instanceof ShapedText given ? given : null;
    if (text == null || bytes + text.shapeBytes().length > MOST_BYTES) {
      return others;
    }
    ShapeName name = new ShapeName(DigestQuestion.of(text));
    ShapeCount fresh = new ShapeCount(schema, text.withoutText(), severalRows(statement), name);
    slots[slot] = fresh;
    shapes++;
    bytes += text.shapeBytes().length;
    unnamed.accept(name);
    return fresh;
  }

  /** Copies of what slots from one to another have, and at the last one of what has no slot. */
  List<ShapeCount> copies(int from, int to) {
    List<ShapeCount> copies = new ArrayList<>();
    for (int i = from; i < to; i++) {
      ShapeCount known = slots[i];
      if (known != null && known.count > 0) {
        copies.add(known.copy());
      }
    }
    if (to == SLOTS && others.count > 0) {
      copies.add(others.copy());
    }
    return copies;
  }

  /** How many slots there are. */
  static int slots() {
    return SLOTS;
  }

  /** Begins anew; shapes stay known, unless half of the room is taken. */
  void clear() {
    others.clear();
    if (shapes < MOST_SHAPES / 2) {
      for (ShapeCount known : slots) {
        if (known != null) {
          known.clear();
        }
      }
      return;
    }
    slots = new @Nullable ShapeCount[SLOTS];
    shapes = 0;
    bytes = 0;
  }
}
