package io.alrai.dn.backend;

import io.alrai.common.error.AlraiException;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.link.ReplySink;
import io.alrai.dn.link.Requirement;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps back what is sent after a command that must succeed first, so that nothing runs on a
 * connection in a wrong state. Event loop only.
 */
final class Requirements {
  /** Puts a command on its way. */
  interface Line {
    /**
     * Takes the buffer.
     *
     * @param sink null where it has no reply
     */
    void write(ByteBuf command, ReplyKind reply, @Nullable ReplySink sink);

    /** Lets go what was written. */
    void flush();
  }

  private record Behind(
      ByteBuf command, ReplyKind reply, @Nullable ReplySink sink, boolean required) {}

  private final Line line;
  private final Requirement answer;
  private final ArrayDeque<Behind> behind = new ArrayDeque<>(0);
  private int outstanding;

  /**
   * Begins without requirements.
   *
   * @param unmet called when one fails; it must close the connection
   */
  Requirements(Line line, Consumer<AlraiException> unmet) {
    this.line = line;
    this.answer = new Requirement(this::met, unmet);
  }

  /** Whether what is sent now has to wait. */
  boolean holdBack() {
    return outstanding > 0;
  }

  /** How many commands wait. */
  int waiting() {
    return behind.size();
  }

  /** A command waits; takes the buffer. */
  void add(ByteBuf command, ReplyKind reply, @Nullable ReplySink sink) {
    behind.add(new Behind(command, reply, sink, false));
  }

  /** A command that must succeed; one after another need not wait. */
  void require(ByteBuf command, ReplyKind reply) {
    if (!behind.isEmpty()) {
      behind.add(new Behind(command, reply, answer, true));
      return;
    }
    outstanding++;
    line.write(command, reply, answer);
  }

  private void met() {
    outstanding--;
    boolean written = false;
    Behind next;
    while ((next = behind.peek()) != null && (outstanding == 0 || next.required)) {
      behind.remove();
      outstanding += next.required ? 1 : 0;
      line.write(next.command, next.reply, next.sink);
      written = true;
    }
    if (written) {
      line.flush();
    }
  }

  /** Nothing that waits will be sent. */
  void fail(AlraiException reason) {
    Behind next;
    while ((next = behind.poll()) != null) {
      next.command.release();
      ReplySink sink = next.sink;
      if (sink != null && !next.required) {
        ReplyQueue.fail(sink, reason);
      }
    }
  }
}
