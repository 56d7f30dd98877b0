package io.alrai.optimizer.lower;

import io.alrai.optimizer.api.ShapedStatement;

/** A statement whose shape was rewritten; slots and texts are the original's. */
record ReshapedStatement(ShapedStatement original, String shape) implements ShapedStatement {
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
