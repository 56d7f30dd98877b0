package io.alrai.dn.gate.group;

import org.jspecify.annotations.Nullable;

/** What one member hears of its log. */
interface RaftEvents<E> {
  /** The next entry is committed; after a start of the member those before come anew. */
  void committed(long term, int index, @Nullable E entry);

  /** This member leads, and has heard of all that was committed before. */
  void leads(long term);

  /** It leads no more. */
  void follows();
}
