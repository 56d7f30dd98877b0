package io.alrai.cn.snapshot;

import io.alrai.cn.branch.BranchPreparation;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.wire.PacketKind;
import io.alrai.common.wire.Packets;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * The consistent reads of one transaction, with a 64-bit hash of the answer to each: so that it can
 * be found out whether another snapshot gives equal answers. Bounded; what does not fit, or cannot
 * be compared by its rows alone, makes it incomplete for good. Event loop only.
 */
public final class ReadLog {
  public static final int MOST_READS = 64;
  static final int MOST_COMMAND_BYTES = 64 << 10;
  static final int MOST_ANSWER_BYTES = 1 << 20;

  private record Read(
      DnId dn, String schema, SessionSettings settings, byte[] command, long hash) {}

  private final List<Read> reads = new ArrayList<>();
  private int commandBytes;
  private long answerBytes;
  private int atWork;
  private boolean incomplete;

  /** Whether all reads so far are in it, and none is at work. */
  public boolean isComplete() {
    return !incomplete && atWork == 0;
  }

  /** A read was made that is not in the log. */
  void giveUp() {
    incomplete = true;
    reads.clear();
  }

  /**
   * A branch for one read, which is recorded here. Its command must not depend on what was sent
   * before: parameters carry their types.
   */
  public Branch noting(Branch branch, SessionSettings settings, String schema) {
    return incomplete ? branch : new Noted(branch, settings, schema);
  }

  private final class Noted extends ForwardingBranch {
    private final SessionSettings settings;
    private final String schema;
    private boolean begun;

    Noted(Branch branch, SessionSettings settings, String schema) {
      super(branch);
      this.settings = settings;
      this.schema = schema;
    }

    @Override
    public void send(ByteBuf command, ReplyKind reply, ReplySink sink) {
      boolean isRead = !begun && reply == ReplyKind.RESULTS;
      begun |= isRead;
      super.send(command, reply, isRead ? noted(command, sink) : sink);
    }

    /** Rows that come in pieces are not kept. */
    @Override
    public void sendQuietly(ByteBuf command) {
      giveUp();
      super.sendQuietly(command);
    }

    private ReplySink noted(ByteBuf command, ReplySink sink) {
      commandBytes += command.readableBytes();
      if (commandBytes > MOST_COMMAND_BYTES || reads.size() + atWork >= MOST_READS) {
        giveUp();
      }
      if (incomplete) {
        return sink;
      }
      atWork++;
      return new Noting(new Read(dn(), schema, settings, ByteBufUtil.getBytes(command), 0), sink);
    }
  }

  /**
   * Reads all again.
   *
   * @param branches new views of all DNs that were read on
   * @return whether all answers are the same
   */
  public CompletableFuture<Boolean> isSameOn(Map<DnId, Branch> branches) {
    CompletableFuture<Boolean> result = new CompletableFuture<>();
    boolean known = reads.stream().allMatch(read -> branches.containsKey(read.dn));
    if (reads.isEmpty() || !known) {
      result.complete(known);
      return result;
    }
    int[] missing = {reads.size()};
    boolean[] same = {true};
    for (Read read : reads) {
      Branch branch = Objects.requireNonNull(branches.get(read.dn));
      BranchPreparation.queue(branch, read.settings, read.schema);
      branch.send(
          Unpooled.wrappedBuffer(read.command),
          ReplyKind.RESULTS,
          new Hashing() {
            @Override
            void done(boolean whole) {
              same[0] &= whole && hash == read.hash;
              if (--missing[0] == 0) {
                result.complete(same[0]);
              }
            }
          });
    }
    branches.values().forEach(Branch::flush);
    return result;
  }

  /** Hashes column definitions and rows of a reply, in their order. */
  private abstract static class Hashing implements ReplySink {
    long hash;
    long bytes;
    private boolean unknown;

    /** The reply has ended; {@code whole} if its hash covers all of it. */
    abstract void done(boolean whole);

    @Override
    public void packet(PacketKind kind, ByteBuf buf, int header, int length) {
      switch (kind) {
        case COLUMN_COUNT, COLUMN, LAST_COLUMN, ROW -> {
          bytes += length;
          if (bytes <= MOST_ANSWER_BYTES) {
            add(buf, header + Packets.HEADER, header + length);
          }
        }
        case RESULT_END -> {}
        // the answer does not show what the statement was for
        case OK, ERR, PREPARE_OK, PARAMETER, TEXT -> unknown = true;
      }
    }

    private void add(ByteBuf buf, int from, int to) {
      int at = from;
      for (; at + Long.BYTES <= to; at += Long.BYTES) {
        add(buf.getLongLE(at));
      }
      for (; at < to; at++) {
        add(buf.getByte(at));
      }
      add(to - from);
    }

    private void add(long value) {
      long mixed = (hash ^ value) * 0x9e3779b97f4a7c15L;
      hash = (mixed ^ mixed >>> 32) * 0xd6e8feb86659fd93L;
    }

    @Override
    public void chunkEnd() {}

    @Override
    public void end(int status) {
      done(!unknown && bytes <= MOST_ANSWER_BYTES);
    }

    @Override
    public void failed(AlraiException reason) {
      done(false);
    }
  }

  /** Passes a reply on and records its hash. */
  private final class Noting extends Hashing {
    private final Read read;
    private final ReplySink reply;

    Noting(Read read, ReplySink reply) {
      this.read = read;
      this.reply = reply;
    }

    @Override
    public void packet(PacketKind kind, ByteBuf buf, int header, int length) {
      super.packet(kind, buf, header, length);
      reply.packet(kind, buf, header, length);
    }

    @Override
    public void chunkEnd() {
      reply.chunkEnd();
    }

    @Override
    void done(boolean whole) {
      atWork--;
      answerBytes += bytes;
      if (!whole || answerBytes > MOST_ANSWER_BYTES) {
        giveUp();
      }
      if (!incomplete) {
        reads.add(new Read(read.dn, read.schema, read.settings, read.command, hash));
      }
    }

    @Override
    public void end(int status) {
      super.end(status);
      reply.end(status);
    }

    @Override
    public void failed(AlraiException reason) {
      super.failed(reason);
      reply.failed(reason);
    }
  }
}
