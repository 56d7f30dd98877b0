package io.alrai.cn.snapshot;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Learns which transactions read on no other DN than their first consistent read did, and which
 * write on one DN at most, by the template of that read. A few templates may share a place and
 * forget each other. Thread-safe.
 *
 * <pre>
 *  63                16 15                0
 * +--------------------+------------------+
 * | of the template    | score, signed    |   one of the places
 * +--------------------+------------------+
 * </pre>
 */
public final class SpreadPredictor {
  /** After how many transactions in a row that stayed the next one is trusted to stay. */
  public static final int TRUSTED = 4;

  /** How many more it takes after one that did not stay. */
  public static final int DISTRUST = 100;

  private static final int PLACES = 1 << 12;

  /** Distinguishes what is learned of writes from what is learned of reads. */
  private static final long OF_WRITES = 0x9e3779b97f4a7c15L;

  private static final long TAG = -1L << Short.SIZE;

  private final AtomicLongArray places = new AtomicLongArray(PLACES);

  /** Whether a transaction with such a first read will probably read on no other DN. */
  public boolean stays(long template) {
    long known = places.get(place(template));
    return (known & TAG) == (template & TAG) && (short) known >= TRUSTED;
  }

  /** Whether a transaction with such a first read will probably write on one DN at most. */
  public boolean writesStay(long template) {
    return stays(template ^ OF_WRITES);
  }

  /**
   * A transaction has ended.
   *
   * @param stayed whether it wrote on one DN at most
   */
  public void learnWrites(long template, boolean stayed) {
    learn(template ^ OF_WRITES, stayed);
  }

  /** The score after one more transaction. */
  static int next(int score, boolean stayed) {
    return stayed ? Math.min(score + 1, TRUSTED) : -DISTRUST;
  }

  /**
   * A transaction has ended.
   *
   * @param stayed whether it has consistently read on no other DN
   */
  public void learn(long template, boolean stayed) {
    int place = place(template);
    long before = places.get(place);
    int score = (before & TAG) == (template & TAG) ? (short) before : 0;
    int next = next(score, stayed);
    if (next != score || (before & TAG) != (template & TAG)) {
      // a lost update only means one transaction less to learn from
      places.compareAndSet(place, before, template & TAG | next & 0xffffL);
    }
  }

  private static int place(long template) {
    return (int) template & PLACES - 1;
  }
}
