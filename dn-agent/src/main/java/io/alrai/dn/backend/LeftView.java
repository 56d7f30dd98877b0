package io.alrai.dn.backend;

/** What is left of a transaction that nobody needs any more, on a branch that was given back. */
enum LeftView {
  /** Nothing. */
  NONE,
  /** It is open; whoever takes the branch inherits it or ends it. */
  OPEN,
  /** It was open when its pool looked last. */
  OLD
}
