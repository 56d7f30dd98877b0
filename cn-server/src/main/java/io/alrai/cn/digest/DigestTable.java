package io.alrai.cn.digest;

import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.api.shape.FoldedShape;
import io.alrai.optimizer.api.shape.ShapeScanner;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.api.text.StatementKind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What one event loop has counted of statements, by shape and schema. It has room for {@value
 * #MOST_SHAPES} shapes, of {@value #MOST_BYTES} bytes in all; what comes after these is counted
 * together. Shapes that differ in literals only are one. The event loop only.
 */
final class DigestTable {
  static final int MOST_SHAPES = 4096;
  static final int MOST_BYTES = 4 << 20;

  /** A quarter is for statements that are not over data: names of savepoints have no end. */
  static final int PARTS = 4;

  private static final int SLOTS = MOST_SHAPES * 2;
  private static final long MULTIPLIER = 0x9e3779b97f4a7c15L;

  private final Consumer<ShapeName> unnamed;
  private final FoldedShape folded = new FoldedShape();
  private final Room room = new Room(MOST_SHAPES, MOST_BYTES);
  private final Room part = new Room(MOST_SHAPES / PARTS, MOST_BYTES / PARTS);
  private @Nullable ShapeCount[] slots = new @Nullable ShapeCount[SLOTS];
  private final ShapeCount others = new ShapeCount("", null, false, ShapeName.NONE);

  /** How much there is, and how much of it is taken. */
  private static final class Room {
    private final int mostShapes;
    private final int mostBytes;
    private int shapes;
    private int bytes;

    Room(int mostShapes, int mostBytes) {
      this.mostShapes = mostShapes;
      this.mostBytes = mostBytes;
    }

    boolean has(int more) {
      return shapes < mostShapes && more <= mostBytes - bytes;
    }

    void take(int more) {
      shapes++;
      bytes += more;
    }

    boolean isHalfTaken() {
      return shapes >= mostShapes / 2 || bytes >= mostBytes / 2;
    }

    void clear() {
      shapes = 0;
      bytes = 0;
    }
  }

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
    boolean severalRows = statement.foldedRows() > 1;
    int slot = slot(statement, severalRows, schema);
    ShapeCount known = slots[slot];
    if (known != null) {
      return known;
    }
    if (!folded.fold(statement)) {
      return added(statement, statement, severalRows, schema, slot);
    }
    ShapeScanner key = folded.scanner();
    severalRows |= key.foldedRows() > 1;
    slot = slot(key, severalRows, schema);
    known = slots[slot];
    return known == null ? added(statement, key, severalRows, schema, slot) : known;
  }

  /** Where a shape is, or else would be. */
  private int slot(ShapedStatement key, boolean severalRows, String schema) {
    long hash = key.shapeHash() + schema.hashCode() * MULTIPLIER;
    int slot = (int) (hash >>> 51) & (SLOTS - 1);
    while (true) {
      ShapeCount known = slots[slot];
      if (known == null
          || known.severalRows == severalRows && known.schema.equals(schema) && same(key, known)) {
        return slot;
      }
      slot = (slot + 1) & (SLOTS - 1);
    }
  }

  private static boolean same(ShapedStatement key, ShapeCount known) {
    ShapedText shape = known.shape;
    if (shape == null || shape.shapeHash() != key.shapeHash()) {
      return false;
    }
    return key instanceof ShapeScanner scanner
        ? scanner.sameShape(shape)
        : key instanceof ShapedText text && known.is(text);
  }

  private ShapeCount added(
      ShapedStatement statement,
      ShapedStatement key,
      boolean severalRows,
      String schema,
      int slot) {
    // A question has hardly fewer bytes than its shape; what does not fit is not copied.
    int length = shapeLength(key);
    boolean overData = isOverData(statement);
    int least = length + Math.min(length, DigestQuestion.MOST_LENGTH);
    if (!room.has(least) || !overData && !part.has(least)) {
      return others;
    }
    ShapedText text = lasting(statement);
    ShapedText shape = key == statement ? text : lasting(key);
    if (text == null || shape == null) {
      return others;
    }
    ShapedText kept = shape.withoutText();
    DigestQuestion question = DigestQuestion.of(text, kept);
    ShapeName name = new ShapeName(question);
    ShapeCount fresh = new ShapeCount(schema, kept, severalRows, name);
    slots[slot] = fresh;
    int taken = length + question.sql().length();
    room.take(taken);
    if (!overData) {
      part.take(taken);
    }
    unnamed.accept(name);
    return fresh;
  }

  private static @Nullable ShapedText lasting(ShapedStatement statement) {
    return statement instanceof ShapeScanner scanner
        ? scanner.snapshot()
        : statement instanceof ShapedText text ? text : null;
  }

  private static int shapeLength(ShapedStatement statement) {
    return statement instanceof ShapeScanner scanner
        ? scanner.shapeLength()
        : statement instanceof ShapedText text ? text.shapeBytes().length : 0;
  }

  private static boolean isOverData(ShapedStatement statement) {
    StatementKind kind =
        statement instanceof ShapeScanner scanner
            ? scanner.kind()
            : statement instanceof ShapedText text ? text.kind() : StatementKind.OTHER;
    return switch (kind) {
      case QUERY, INSERT, REPLACE, UPDATE, DELETE, DO, CALL -> true;
      case EMPTY, EXPLAIN, SET, USE, SHOW, BEGIN, COMMIT, ROLLBACK, OTHER -> false;
    };
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

  /** Begins anew; shapes stay known, unless half of the room, or of its part, is taken. */
  void clear() {
    others.clear();
    if (room.isHalfTaken() || part.isHalfTaken()) {
      slots = new @Nullable ShapeCount[SLOTS];
      room.clear();
      part.clear();
      return;
    }
    for (ShapeCount known : slots) {
      if (known != null) {
        known.clear();
      }
    }
  }
}
