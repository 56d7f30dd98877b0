package io.alrai.optimizer.api;

/**
 * A statement cut into its shape and its literals by one pass over its bytes. Two statements with
 * the same shape text, read in the same lexical mode, have the same plan (unless the plan says
 * otherwise) and differ in their slot values only.
 *
 * <p>The rows of an INSERT or REPLACE ... VALUES with equal patterns are folded into the first, so
 * that the shape does not depend on their number: one row and 5,000 rows have the same shape. So a
 * plan counts slots as in the shape, that is, as if there was one row. At execution, slot s of the
 * shape is slot {@code s} of the statement when {@code s < firstRowSlot() + slotsPerRow()} (row r's
 * slots are r times {@code slotsPerRow()} further), and {@code s + (foldedRows() - 1) *
 * slotsPerRow()} after the rows.
 *
 * <p>Positions are bytes counted from the statement's first byte, as the client sent it.
 */
public interface ShapedStatement {
  /** 64-bit hash of the shape and of the lexical mode. */
  long shapeHash();

  /**
   * The shape: the text with a {@code ?} for each literal or parameter, comments left out, blanks
   * reduced, rows folded, and identifiers in ANSI quotes given backticks. Literals that stand where
   * structure stands (aliases, lengths of types, positions after ORDER BY and GROUP BY) are kept.
   */
  String shape();

  /** The statement as sent, decoded with the connection's character set. */
  String text();

  /** Number of slots over all rows. */
  int slotCount();

  /** Which parameter of the client (a {@code ?} of its text) the slot is; -1 for a literal. */
  int parameter(int slot);

  /** Whether the slot is a {@code ?} of the client (a parameter), not a literal. */
  default boolean isParameter(int slot) {
    return parameter(slot) >= 0;
  }

  /**
   * The slot's text as the client wrote it, quotes and escapes included; {@code ?} for a parameter.
   * For what only the text tells: positions in ORDER BY, names of columns.
   */
  String slotText(int slot);

  /** Where the slot's text starts in the statement's bytes; a sign in front belongs to it. */
  int slotStart(int slot);

  /** Where it ends, exclusive. */
  int slotEnd(int slot);

  /** Number of rows after VALUES when all have one pattern; 0 when they differ or none are. */
  int foldedRows();

  /** Slots of each folded row; 0 when there are none. */
  int slotsPerRow();

  /** First slot of the first folded row. */
  int firstRowSlot();

  /** Where folded row r starts in the statement's bytes, at its parenthesis. */
  int rowStart(int row);

  /** Where folded row r ends, after its closing parenthesis. */
  int rowEnd(int row);
}
