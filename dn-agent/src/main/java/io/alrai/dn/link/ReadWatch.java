package io.alrai.dn.link;

/**
 * Tells whether a read of current rows on one DN may have seen less than another read has seen
 * elsewhere: while a transaction over several DNs is being committed, it becomes visible on its DNs
 * one after the other. Thread-safe.
 */
public interface ReadWatch {
  /** Where nothing is committed. */
  ReadWatch NONE =
      new ReadWatch() {
        @Override
        public long quiet() {
          return 0;
        }

        @Override
        public boolean undisturbed(long mark) {
          return true;
        }
      };

  /**
   * Before a read is sent.
   *
   * @return a mark of this moment; negative while such a transaction is at work on the DN
   */
  long quiet();

  /**
   * After a read: whether no such transaction has come to the DN since a mark that is not negative.
   */
  boolean undisturbed(long mark);
}
