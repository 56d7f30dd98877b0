package io.alrai.cn.protocol;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The way to the client for results that the CN makes. On a virtual thread a write waits while the
 * client reads more slowly than the rows come; on the event loop, where only small results are
 * written, it never does. Thread-safe.
 */
public final class ClientOutput {
  private final Channel channel;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean waiting;
  private boolean ended;

  /** Output of one client's channel. */
  public ClientOutput(Channel channel) {
    this.channel = channel;
  }

  /** The channel. */
  public Channel channel() {
    return channel;
  }

  /**
   * Sends, after waiting until the client has taken what was sent before; takes the buffer over.
   *
   * @throws AlraiException when the client is gone, or 1317 when the statement is killed, or the
   *     virtual thread interrupted
   */
  public void send(ByteBuf packets) {
    if (channel.eventLoop().inEventLoop()) {
      channel.writeAndFlush(packets, channel.voidPromise());
      return;
    }
    lock.lock();
    try {
      ended = false;
      while (channel.isActive() && !channel.isWritable()) {
        waiting = true;
        changed.await();
        if (ended) {
          packets.release();
          throw AlraiException.interruption();
        }
      }
    } catch (InterruptedException e) {
      packets.release();
      Thread.currentThread().interrupt();
      throw AlraiException.interruption(e);
    } finally {
      waiting = false;
      lock.unlock();
    }
    if (!channel.isActive()) {
      packets.release();
      throw new AlraiException(ErrorCode.CR_SERVER_LOST, "the client is gone");
    }
    channel.writeAndFlush(packets, channel.voidPromise());
  }

  /**
   * KILL QUERY of a statement that waits for its client.
   *
   * @return whether it did
   */
  public boolean end() {
    lock.lock();
    try {
      ended = true;
      changed.signalAll();
      return waiting;
    } finally {
      lock.unlock();
    }
  }

  /** The channel's writability or life changed; from the event loop. */
  public void channelChanged() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
