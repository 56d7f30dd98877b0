package io.alrai.cn.tx;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Learns which transactions read on no other DN than their first consistent read did, by the
 * template of that read. A few templates may share a place and forget each other. Thread-safe.
 *
 * <pre>
 *  63                16 15                0
 * +--------------------+------------------+
 * | of the template    | score, signed    |   one of the places
 * +--------------------+------------------+
 * </pre>
 */
public final class SpreadPredictor {
  /** Transactions in a row that stayed, until one is trusted to stay. */
  static final int TRUSTED = 4;

  /** How many more it takes after one did not. */
  static final int DISTRUST = 100;

  private static final int PLACES = 1 << 12;
  private static final long TAG = -1L << Short.SIZE;

  private final AtomicLongArray places = new AtomicLongArray(PLACES);

  /** Whether a transaction with such a first read will probably read on no other DN. */
  public boolean stays(long template) {
    long known = places.get(place(template));
    return (known & TAG) == (template & TAG) && (short) known >= TRUSTED;
  }

  /**
   * A transaction is over.
   *
   * @param stayed whether it has consistently read on no other DN
   */
  public void learn(long template, boolean stayed) {
    int place = place(template);
    long before = places.get(place);
    int score = (before & TAG) == (template & TAG) ? (short) before : 0;
    int next = stayed ? Math.min(score + 1, TRUSTED) : -DISTRUST;
    if (next != score || (before & TAG) != (template & TAG)) {
      // a lost update is a transaction less to learn from
      places.compareAndSet(place, before, template & TAG | next & 0xffffL);
    }
  }

  private static int place(long template) {
    return (int) template & PLACES - 1;
  }
}
