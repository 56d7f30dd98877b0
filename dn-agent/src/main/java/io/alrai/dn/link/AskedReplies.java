package io.alrai.dn.link;

import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;

/**
 * {@link KeptReplies} of an agent in another process, which has to be asked. A place of the log is
 * given with the term of the leader whose log it is. All methods belong on the loop that they are
 * given, and so do the calls of their answers.
 */
public interface AskedReplies {
  /** Learns the answer; one of them is called, once, after {@link #ask} has returned. */
  interface Answer {
    /**
     * The reply that the mysqld would give at a moment since it was asked; the caller's buffer.
     *
     * @return false if it was not understood; the read goes on as if it was {@link #missed}
     */
    boolean found(ByteBuf reply);

    /** None is known, or nobody has answered. */
    void missed();
  }

  /**
   * Asks where a reply may be kept, as far as is known here.
   *
   * @param shown as in {@link KeptReplies#find}
   * @param term of the log that shown is a place of; any for {@link KeptReplies#CURRENT}
   * @return whether it was asked; else nothing is called
   */
  boolean ask(EventLoop loop, ReplyKey read, long shown, long term, Answer answer);

  /** As {@link KeptReplies#visible}, of the {@link #term}. */
  long visible(EventLoop loop);

  /** The term in which the agent leads that was heard last. */
  long term(EventLoop loop);

  /** As {@link KeptReplies#keep}, if the agent still leads in that term. */
  void keep(EventLoop loop, ReplyKey read, long shown, long term, byte[] reply, int length);
}
