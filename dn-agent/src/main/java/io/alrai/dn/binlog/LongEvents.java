package io.alrai.dn.binlog;

import io.netty.buffer.ByteBuf;

/**
 * Takes the events of transactions that are too long to be given with them, while they arrive. On
 * the stream's loop only.
 */
public interface LongEvents {
  /** For a stream whose readers find them in the log of its mysqld. */
  LongEvents NONE =
      new LongEvents() {
        @Override
        public void begins(Gtid gtid, long length) {
          // nobody takes them
        }

        @Override
        public void take(ByteBuf bytes, int start, int length) {
          // nobody takes them
        }

        @Override
        public boolean full(Runnable resume) {
          return false;
        }
      };

  /**
   * Such a transaction begins, perhaps once more: what was taken of one that has not ended is void.
   *
   * @param length of all its events
   */
  void begins(Gtid gtid, long length);

  /** The next event of it; copied. */
  void take(ByteBuf bytes, int start, int length);

  /**
   * Whether nothing more shall be read now.
   *
   * @param resume runs once on the loop when something may be read again, if that is so
   */
  boolean full(Runnable resume);
}
