package io.alrai.optimizer.view;

import io.alrai.executor.fragment.CheckView;
import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.api.text.Span;
import java.util.List;

/**
 * A statement whose shape was rewritten; slots and texts are the original's.
 *
 * @param inserted pieces of the shape that are no text of the client's but queries of views, in
 *     order
 * @param checked the targets that the statement writes through views WITH CHECK OPTION
 */
public record ReshapedStatement(
    ShapedStatement original, String shape, List<Span> inserted, List<CheckedTarget> checked)
    implements ShapedStatement {
  public ReshapedStatement {
    inserted = List.copyOf(inserted);
    checked = List.copyOf(checked);
  }

  /** One that writes through no such view. */
  public ReshapedStatement(ShapedStatement original, String shape, List<Span> inserted) {
    this(original, shape, inserted, List.of());
  }

  /** One without queries of views. */
  public ReshapedStatement(ShapedStatement original, String shape) {
    this(original, shape, List.of());
  }

  /**
   * A table that is written.
   *
   * @param span of its name and alias in the shape
   * @param view by which what is written is checked
   */
  public record CheckedTarget(Span span, CheckView view) {}

  /** The targets of a statement that are checked. */
  public static List<CheckedTarget> checkedIn(ShapedStatement statement) {
    return statement instanceof ReshapedStatement reshaped ? reshaped.checked() : List.of();
  }

  /** The queries of views in a statement's shape. */
  public static List<Span> insertedIn(ShapedStatement statement) {
    return statement instanceof ReshapedStatement reshaped ? reshaped.inserted() : List.of();
  }

  @Override
  public long shapeHash() {
    return original.shapeHash();
  }

  @Override
  public String text() {
    return original.text();
  }

  @Override
  public int slotCount() {
    return original.slotCount();
  }

  @Override
  public int parameter(int slot) {
    return original.parameter(slot);
  }

  @Override
  public String slotText(int slot) {
    return original.slotText(slot);
  }

  @Override
  public int slotStart(int slot) {
    return original.slotStart(slot);
  }

  @Override
  public int slotEnd(int slot) {
    return original.slotEnd(slot);
  }

  @Override
  public int foldedRows() {
    return 0;
  }

  @Override
  public int slotsPerRow() {
    return 0;
  }

  @Override
  public int firstRowSlot() {
    return 0;
  }

  @Override
  public int rowStart(int row) {
    throw new IndexOutOfBoundsException(row);
  }

  @Override
  public int rowEnd(int row) {
    throw new IndexOutOfBoundsException(row);
  }
}
