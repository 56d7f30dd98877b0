package io.alrai.dn.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * How a session ends whose agent gives its lead away. Nothing is passed on to the mysqld any more;
 * that answers what it has, and closes its end. Then the caller can hear that what has no answer
 * has not run, and runs it elsewhere. Event loop only, but for {@link #drained} and {@link
 * #closed}.
 */
final class SessionLeave {
  private static final int ER_SERVER_SHUTDOWN = 1053;
  private static final String SENTENCE = "#08S01Another member of the DN is going to lead it";

  private final CompletableFuture<Void> drained = new CompletableFuture<>();
  private final CompletableFuture<Void> closed = new CompletableFuture<>();
  private boolean begun;

  /** Completes when the mysqld has answered all that it was sent, or the session has ended. */
  CompletableFuture<Void> drained() {
    return drained;
  }

  /** Completes after {@link #end}, when the connection is closed. */
  CompletableFuture<Void> closed() {
    return closed;
  }

  /** It is asked to end. */
  void begin() {
    begun = true;
  }

  /** Whether it was asked to end. */
  boolean begun() {
    return begun;
  }

  /** As {@link #begin}, where the mysqld is not at work on a call of the agent's own. */
  void begin(@Nullable BackendRelay relay) {
    begin();
    if (relay != null) {
      relay.sendsNoMore();
    }
  }

  /** Nothing comes from the mysqld any more. */
  void drain() {
    drained.complete(null);
  }

  /** Tells the caller of a branch that what was not answered has not run, if that is so. */
  void end(boolean branch, SessionOutput output, ByteBufAllocator alloc) {
    if (branch && drained.isDone()) {
      output.data(lastPacket(alloc), 0);
      output.flush();
      output.end();
      output.channel().closeFuture().addListener(done -> closed.complete(null));
    } else {
      closed.complete(null);
    }
  }

  /**
   * The packet by which a mysqld says, unasked, that it closes the connection: whoever has sent
   * something that was not answered knows that it has not run.
   */
  private static ByteBuf lastPacket(ByteBufAllocator alloc) {
    byte[] text = SENTENCE.getBytes(StandardCharsets.US_ASCII);
    ByteBuf packet = alloc.buffer();
    packet.writeMediumLE(3 + text.length).writeByte(0);
    return packet.writeByte(0xff).writeShortLE(ER_SERVER_SHUTDOWN).writeBytes(text);
  }
}
