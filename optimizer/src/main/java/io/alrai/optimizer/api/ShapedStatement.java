package io.alrai.optimizer.api;

/**
 * A statement cut into its shape and its literals by one pass over its bytes. Two statements with
 * the same shape text have the same plan (unless the plan says otherwise) and differ in their slot
 * values only. Rows of a multi-row INSERT with equal patterns are folded into the first, so that
 * the shape does not depend on their number.
 */
public interface ShapedStatement {
  /** 64-bit hash of the shape. */
  long shapeHash();

  /** The shape: the text with a {@code ?} for each literal, comments left out, rows folded. */
  String shape();

  /** The statement as sent, decoded with the connection's character set. */
  String text();

  /** Number of slots over all rows. */
  int slotCount();

  /** Whether the slot is a {@code ?} of the client (a parameter), not a literal. */
  boolean isParameter(int slot);

  /**
   * The slot's text as the client wrote it, quotes and escapes included; {@code ?} for a parameter.
   * For what only the text tells: positions in ORDER BY, names of columns.
   */
  String slotText(int slot);

  /** Where the slot's text starts in the statement's bytes. */
  int slotStart(int slot);

  /** Where it ends, exclusive. */
  int slotEnd(int slot);

  /** Number of rows behind VALUES that were folded; 0 when nothing was. */
  int foldedRows();

  /** Slots of each folded row. */
  int slotsPerRow();

  /** First slot of the first folded row. */
  int firstRowSlot();

  /** Where folded row r starts in the statement's bytes, at its parenthesis. */
  int rowStart(int row);

  /** Where folded row r ends, behind its closing parenthesis. */
  int rowEnd(int row);
}
