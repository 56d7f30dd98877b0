package io.alrai.optimizer.logical;

/** What becomes of a query's rows. */
enum QueryUse {
  /** They are sent, or stored as a table is. */
  ROWS,
  /** The one value is computed with. */
  VALUE,
  /** Values are looked for among them. */
  LIST
}
