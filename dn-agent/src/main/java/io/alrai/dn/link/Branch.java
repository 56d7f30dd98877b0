package io.alrai.dn.link;

import io.alrai.common.id.DnId;
import io.alrai.common.wire.ReplyKind;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;

/**
 * One mysqld connection, lent to one session at a time. Requests may be queued before earlier
 * replies are complete; replies come in order. All methods belong on the event loop.
 */
public interface Branch {
  /** The loop that owns it. */
  EventLoop eventLoop();

  /** The DN that it leads to. */
  DnId dn();

  /** What the mysqld's side remembers; the holder keeps it up to date. */
  BranchState state();

  /** The mysqld's connection id, to KILL it; 0 where it is not known. */
  long serverConnectionId();

  /** Whether it can still be used. */
  boolean alive();

  /**
   * Queues one command of one or more packets, and takes over the buffer. {@link #flush} sends it.
   */
  void send(ByteBuf command, ReplyKind reply, ReplySink sink);

  /**
   * Queues a command without which the branch is of no use; {@link #flush} sends it. What is queued
   * after it is sent when it has succeeded. When it fails, the branch is closed, and what was
   * queued fails with CR_SERVER_GONE_ERROR: nothing of that has run.
   */
  default void require(ByteBuf command, ReplyKind reply) {
    send(command, reply, new Requirement(() -> {}, error -> close()));
  }

  /** Queues a command that has no reply (STMT_CLOSE, STMT_SEND_LONG_DATA), and takes the buffer. */
  void sendQuietly(ByteBuf command);

  /** Sends what is queued. */
  void flush();

  /**
   * Sends the file that the outstanding reply has asked for ({@link ReplyKind#FILE}): its packets
   * with the empty one at its end, and takes the buffer. Until that reply is complete nothing else
   * may be sent: it would be a part of the file.
   *
   * @param packets numbered from 2
   */
  void sendFile(ByteBuf packets);

  /**
   * Stops or resumes reading from the mysqld: back-pressure. Stopping lasts to the end of the reply
   * at the longest, so that the next holder finds it reading; without an outstanding reply it
   * cannot be stopped.
   */
  void reading(boolean on);

  /** Whether sent bytes leave the process as fast as they come. */
  boolean writable();

  /**
   * Gives it back; it must be outside of any transaction and have no reply outstanding. Otherwise
   * it is closed and serves nobody else.
   */
  void release();

  /**
   * Gives it back in a transaction that only reads, has locked nothing and that nobody needs any
   * more. That transaction ends within 20 ms or before the next command, unless the next holder
   * {@link #inherits} it.
   */
  void releaseViewed();

  /** Whether it came in such a transaction, which the caller has to end from now on. */
  boolean inherits();

  /** Whether a reply is outstanding. */
  boolean busy();

  /**
   * Sends nothing and serves nobody else until {@link #resume}: a KILL QUERY is on its way and must
   * not hit what comes after its victim. May be nested.
   */
  void hold();

  /** Ends one {@link #hold}. */
  void resume();

  /**
   * A read of current rows is about to be sent; nothing may be sent after it until it has ended.
   */
  default void watch() {}

  /**
   * Whether the read since {@link #watch} may contradict what was read elsewhere: a transaction
   * over several DNs is, or was, being committed here. To be asked before it is sent, and when the
   * first packet of its reply is there.
   */
  default boolean disturbed() {
    return false;
  }

  /** Whether only this branch can end what is prepared on it, until it is closed. */
  default boolean keepsPrepared() {
    return false;
  }

  /**
   * What is prepared on it must be ended on it: after it is given back, it serves nobody else until
   * {@link #letGo}.
   */
  default void keep() {}

  /** What was prepared on it has been ended. */
  default void letGo() {}

  /**
   * Gives it back after an XA PREPARE: whoever ends the prepared transaction need not know this
   * branch.
   */
  default void releasePrepared() {
    if (keepsPrepared()) {
      close();
    } else {
      release();
    }
  }

  /** Ends it: the mysqld rolls back what is open, unless that is prepared. */
  void close();

  /**
   * Ends it in place of a KILL QUERY, where its connection id is not known: what is outstanding
   * fails with ER_QUERY_INTERRUPTED.
   */
  void interrupt();
}
