package io.alrai.dn.link;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Replies to reads of one table, kept as long as no commit has touched a row that they may depend
 * on. An agent knows that: no commit of its mysqld becomes visible before the agent has seen it in
 * the log. Thread-safe.
 */
public interface KeptReplies {
  /** Instead of a place of the log: the read sees current rows. */
  long CURRENT = Long.MAX_VALUE;

  /** A place that no reply can be kept for. */
  long NOWHERE = -1;

  /** There is no reply. */
  int MISSED = -1;

  /** There is none, and none can be kept until the table is watched. */
  int UNWATCHED = -2;

  /** None can be found at this moment, whatever is kept. */
  int NOT_NOW = -3;

  /** Keeps nothing. */
  KeptReplies NONE =
      new KeptReplies() {
        @Override
        public int find(ReplyKey read, long shown, byte[] into) {
          return MISSED;
        }

        @Override
        public long visible() {
          return NOWHERE;
        }

        @Override
        public void keep(ReplyKey read, long shown, byte[] reply, int length) {}

        @Override
        public CompletableFuture<Void> suspend(Branch locking) {
          return CompletableFuture.completedFuture(null);
        }

        @Override
        public void resume(Branch locking) {}
      };

  /**
   * The reply that the mysqld would give at this moment.
   *
   * @param shown the place of the log up to which the read sees commits, by {@link
   *     BranchState#shown}; or {@link #CURRENT}, where it must not contradict what was read on
   *     other DNs
   * @param into at least as long as what {@link #keep} was ever given
   * @return its length; {@link #MISSED}, {@link #UNWATCHED} or {@link #NOT_NOW} when it is not
   *     known
   */
  int find(ReplyKey read, long shown, byte[] into);

  /**
   * A place of the log such that every read of current rows sent from now on sees all before it.
   */
  long visible();

  /**
   * Keeps a reply unless its rows have been touched after that position; to be called when the
   * reply is complete.
   *
   * @param shown the read saw all of the log before that place: {@link #visible} of before it was
   *     sent, or the place that its view shows
   */
  void keep(ReplyKey read, long shown, byte[] reply, int length);

  /**
   * Finds nothing until {@link #resume}: a session locks tables, and others must wait for it.
   *
   * @param locking where it locks them, on its loop
   * @return completes when nothing is found any more, whoever asks
   */
  CompletableFuture<Void> suspend(Branch locking);

  /** Ends one {@link #suspend}, on the loop of the branch. */
  void resume(Branch locking);

  /** Where they are kept, if that is another process; then nothing is found or kept here. */
  default Optional<AskedReplies> elsewhere() {
    return Optional.empty();
  }
}
