package io.alrai.common.error;

/** Who can do something about an error. */
public enum ErrorKind {
  /** The statement or its input is wrong; the same again will fail again. */
  USER,
  /** A passing conflict or loss; the transaction may be run again. */
  RETRY,
  /** Something ran out or is out of reach: memory, connections, disk, a node. */
  RESOURCE,
  /** A defect of Alrai itself. */
  INTERNAL
}
