package io.alrai.dn.backend;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.Packets;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchState;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoop;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * A branch without a connection, whose mysqld is a test's: it answers what is flushed, in order,
 * and the bytes of its replies are framed as those of a real one are. A test may keep the mysqld
 * silent, let its bytes arrive piece by piece, and break the connection between any two. Event loop
 * only.
 */
public class FakeBranch implements Branch {
  private static final Sql END_VIEW = Sql.of("COMMIT AND NO CHAIN NO RELEASE");

  /** What is at the other end. */
  public interface Mysqld {
    /** The reply to a command, when it is its turn. */
    FakeReply reply(FakeBranch branch, Sent sent);

    /** The connection has ended. */
    default void closed(FakeBranch branch) {}
  }

  /**
   * A command.
   *
   * @param command its first byte
   * @param text what follows
   */
  public record Sent(int command, String text, ReplyKind kind) {}

  private final DnId dn;
  private final EventLoop loop;
  private final Mysqld mysqld;
  private final BranchState state = new BranchState();
  private final ReplyQueue replies = new ReplyQueue(new Reading());
  private final Queue<Sent> unsent = new ArrayDeque<>();
  private final Queue<Sent> asked = new ArrayDeque<>();
  private @Nullable FakeReply arriving;
  private int holds;
  private boolean flushWanted;
  private boolean answering;

  /** Why nothing of what is outstanding has run. */
  private @Nullable String unread;

  /** The texts of all commands that have a reply. */
  public final List<String> statements = new ArrayList<>();

  /** The packets of the files that were asked for. */
  public final List<String> files = new ArrayList<>();

  /** The buffers of all commands. */
  public final List<ByteBuf> buffers = new ArrayList<>();

  /** How often reading was stopped and begun again. */
  public final List<Boolean> readings = new ArrayList<>();

  /** What it says of the reads on it, one after the other; false after the last. */
  public Queue<Boolean> disturbances = new ArrayDeque<>();

  /** A statement that begins so breaks the connection. */
  public String failing = "none does";

  /** Runs when something is flushed, before it is answered. */
  public Runnable afterSending = () -> {};

  /** Whether its mysqld answers nothing for now. */
  public boolean silent;

  /** Its connection id. */
  public long number = 1;

  private boolean interrupted;

  /** Whether pieces arrive by {@link #arrive} only. */
  public boolean stepwise;

  /**
   * Whether what is outstanding fails when the loop comes to it, as a channel says later that it is
   * closed; else while it is closed, for tests whose loop stands still.
   */
  public boolean losesLater;

  /** Whether only it can end what is prepared on it. */
  public boolean keepsPrepared;

  /** Whether what was prepared on it is to be ended on it. */
  public boolean kept;

  /** Whether it comes in a transaction that its last holder left. */
  public boolean viewed;

  /** Whether its mysqld has rolled its transaction back. */
  public boolean lost;

  public boolean released;
  public boolean closed;
  public boolean paused;

  /** What a reader of a reply failed with. */
  public @Nullable Throwable defect;

  /** A branch to a mysqld. */
  public FakeBranch(DnId dn, EventLoop loop, Mysqld mysqld) {
    this.dn = dn;
    this.loop = loop;
    this.mysqld = mysqld;
  }

  @Override
  public EventLoop eventLoop() {
    return loop;
  }

  @Override
  public DnId dn() {
    return dn;
  }

  @Override
  public BranchState state() {
    return state;
  }

  @Override
  public long serverConnectionId() {
    return number;
  }

  @Override
  public boolean alive() {
    return !closed;
  }

  @Override
  public void send(ByteBuf command, ReplyKind reply, ReplySink sink) {
    int code = command.getUnsignedByte(command.readerIndex() + Packets.HEADER);
    int text = command.readerIndex() + Packets.HEADER + 1;
    Sent sent =
        new Sent(
            code,
            command.toString(text, command.writerIndex() - text, StandardCharsets.UTF_8),
            reply);
    statements.add(sent.text());
    if (closed) {
      take(command);
      sink.failed(lost());
      return;
    }
    replies.add(command, reply, sink);
    take(command);
    unsent.add(sent);
  }

  @Override
  public void sendQuietly(ByteBuf command) {
    take(command);
  }

  /** The mysqld gets it as a command of its own, whose reply goes on with that of the statement. */
  @Override
  public void sendFile(ByteBuf packets) {
    replies.fileSent(packets);
    files.add(packets.toString(StandardCharsets.ISO_8859_1));
    packets.release();
  }

  private void take(ByteBuf command) {
    buffers.add(command);
    command.release();
  }

  @Override
  public void flush() {
    if (holds > 0) {
      flushWanted = true;
      return;
    }
    afterSending.run();
    if (silent) {
      return;
    }
    asked.addAll(unsent);
    unsent.clear();
    if (!stepwise) {
      answer(Integer.MAX_VALUE);
    }
  }

  /** The next piece of what was flushed arrives, unless nobody reads. */
  public void arrive() {
    answer(1);
  }

  /** All that was flushed arrives, as far as it is read. */
  public void arriveAll() {
    answer(Integer.MAX_VALUE);
  }

  private void answer(int pieces) {
    if (answering) {
      return;
    }
    answering = true;
    try {
      int left = pieces;
      while (left > 0 && !closed && !paused && begins()) {
        FakeReply reply = arriving;
        ByteBuf piece = reply == null ? null : reply.next();
        if (piece != null) {
          left--;
          replies.read(ByteBufAllocator.DEFAULT, piece);
        } else if (reply != null && reply.breaks()) {
          close();
        } else {
          arriving = null;
        }
      }
      if (closed && !losesLater) {
        lose();
      }
    } finally {
      answering = false;
    }
  }

  private boolean begins() {
    if (arriving != null) {
      return true;
    }
    Sent next = asked.poll();
    if (next == null) {
      return false;
    }
    if (next.text().startsWith(failing)) {
      close();
      return false;
    }
    arriving = mysqld.reply(this, next);
    return !closed;
  }

  /** The connection breaks, or its mysqld dies. */
  public void breakOff() {
    close();
  }

  private void lose() {
    arriving = null;
    asked.clear();
    unsent.clear();
    String why = unread;
    replies.fail(
        why == null ? null : new AlraiException(ErrorCode.CR_SERVER_GONE_ERROR, "gone: " + why));
  }

  private AlraiException lost() {
    return interrupted ? AlraiException.interruption() : LostReply.broken(dn);
  }

  @Override
  public void reading(boolean on) {
    if (on == paused && (on || busy())) {
      paused = !on;
      readings.add(on);
      if (on && !stepwise) {
        loop.execute(this::arriveAll);
      }
    }
  }

  @Override
  public boolean writable() {
    return true;
  }

  /** One that is busy can serve nobody else. */
  @Override
  public void release() {
    released = true;
    if (busy()) {
      close();
    }
  }

  @Override
  public void releaseViewed() {
    if (closed) {
      return;
    }
    Answer.of(this, END_VIEW)
        .whenComplete((ok, error) -> {
          if (error == null) {
            release();
          } else {
            close();
          }
        });
  }

  @Override
  public boolean inherits() {
    boolean was = viewed;
    viewed = false;
    return was;
  }

  @Override
  public boolean keepsPrepared() {
    return keepsPrepared;
  }

  @Override
  public void keep() {
    kept = true;
  }

  @Override
  public void letGo() {
    kept = false;
  }

  @Override
  public boolean busy() {
    return replies.size() > 0;
  }

  @Override
  public void hold() {
    holds++;
  }

  @Override
  public void resume() {
    holds--;
    if (holds == 0 && flushWanted) {
      flushWanted = false;
      flush();
    }
  }

  @Override
  public boolean disturbed() {
    return Boolean.TRUE.equals(disturbances.poll());
  }

  /** What is outstanding fails. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    mysqld.closed(this);
    if (losesLater) {
      loop.execute(this::lose);
    } else if (!answering) {
      lose();
    }
  }

  @Override
  public void interrupt() {
    interrupted = true;
    close();
  }

  /** The reading side. */
  private final class Reading implements ReplyQueue.Owner {
    @Override
    public boolean closed() {
      return closed;
    }

    @Override
    public void ok(ByteBuf buf, int payload, int length) {
      if (!state.changed() && OkPacket.tellsOfChanges(buf, payload, length)) {
        state.change();
      }
    }

    @Override
    public void replyRead() {
      reading(true);
    }

    @Override
    public void leaves(String why) {
      unread = why;
      close();
    }

    @Override
    public void defect(Throwable failure) {
      defect = failure;
      close();
    }

    @Override
    public AlraiException lost() {
      return FakeBranch.this.lost();
    }
  }
}
