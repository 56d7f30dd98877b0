package io.alrai.tpcc;

/** How the endpoint ended a transaction, once it has acknowledged the end. */
sealed interface Outcome {
  /** Committed; what it did is to stay. */
  record Committed() implements Outcome {}

  /** A new order, committed under this number. */
  record OrderCommitted(int warehouse, int district, int order) implements Outcome {}

  /** Rolled back because the user entered an unknown item (TPC-C 2.4.1.4). */
  record RolledBack() implements Outcome {}
}
