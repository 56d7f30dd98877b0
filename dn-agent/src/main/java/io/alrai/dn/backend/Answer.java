package io.alrai.dn.backend;

import io.alrai.common.error.AlraiException;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.Command;
import io.alrai.common.wire.ErrPacket;
import io.alrai.common.wire.Lenenc;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.PacketKind;
import io.alrai.common.wire.Packets;
import io.alrai.common.wire.ReplyKind;
import io.alrai.common.wire.ServerStatus;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The whole reply to one of the agent's own statements, small enough to be held.
 *
 * @param rows of all result sets, as text; NULL is empty
 * @param succeeded how many statements of the text were done
 * @param beganInTransaction whether the first of them left the connection in a transaction
 */
public record Answer(List<List<String>> rows, int succeeded, boolean beganInTransaction) {
  /** A statement failed; those before it in the same text were done. */
  public static final class Failed extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient AlraiException reason;
    private final int succeeded;
    private final boolean fromServer;

    /** A failure. */
    public Failed(AlraiException reason, int succeeded, boolean fromServer) {
      super(reason.sentence(), reason);
      this.reason = reason;
      this.succeeded = succeeded;
      this.fromServer = fromServer;
    }

    /** What the mysqld said, or how the connection broke. */
    public AlraiException reason() {
      return reason;
    }

    /** How many statements of the text were done. */
    public int succeeded() {
      return succeeded;
    }

    /** Whether the mysqld answered; otherwise nobody knows how far it came. */
    public boolean fromServer() {
      return fromServer;
    }

    /** Whether the mysqld answered with this error. */
    public boolean is(int errno) {
      return fromServer && reason.errno() == errno;
    }
  }

  /** Runs a statement. On the branch's loop; completes there, with {@link Failed} if it fails. */
  public static CompletableFuture<Answer> of(Branch branch, Sql sql) {
    CompletableFuture<Answer> done = new CompletableFuture<>();
    send(branch, Command.QUERY, sql, ReplyKind.RESULTS, done);
    branch.flush();
    return done;
  }

  /**
   * Runs statements in one text: mysqld stops at the first that fails. As {@link #of}.
   *
   * @param statements without a semicolon, also within what they quote
   */
  public static CompletableFuture<Answer> ofAll(Branch branch, Sql... statements) {
    for (Sql statement : statements) {
      if (statement.text().indexOf(';') >= 0) {
        throw new IllegalArgumentException("a statement with a semicolon beside others");
      }
    }
    return ofText(branch, Sql.join(";", List.of(statements)));
  }

  /** Sends a text that was put together elsewhere and collects its reply. */
  public static CompletableFuture<Answer> ofText(Branch branch, Sql text) {
    CompletableFuture<Answer> done = new CompletableFuture<>();
    send(branch, Command.QUERY, text, ReplyKind.SEVERAL, done);
    branch.flush();
    return done;
  }

  /** Queues one command without flushing. */
  public static void send(
      Branch branch, int command, Sql text, ReplyKind kind, CompletableFuture<Answer> done) {
    send(branch, command, text.text().getBytes(StandardCharsets.UTF_8), kind, done);
  }

  /** Sends a command whose argument is not text. */
  public static void send(
      Branch branch, int command, byte[] bytes, ReplyKind kind, CompletableFuture<Answer> done) {
    ByteBuf out = ByteBufAllocator.DEFAULT.buffer(Packets.HEADER + 1 + bytes.length);
    Packets.writeCommand(out, command, bytes);
    branch.send(out, kind, new Collector(done));
  }

  /** Waits for an answer, and does something if there is an error. */
  static CompletableFuture<Answer> orElse(Runnable failed) {
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    answer.whenComplete((ok, error) -> {
      if (error != null) {
        failed.run();
      }
    });
    return answer;
  }

  /** Reads a reply. */
  static ReplySink sink(CompletableFuture<Answer> done) {
    return new Collector(done);
  }

  /** Gathers the reply on the event loop. */
  private static final class Collector implements ReplySink {
    private final CompletableFuture<Answer> done;
    private final List<List<String>> rows = new ArrayList<>();
    private int succeeded;
    private boolean inTransaction;
    private long columns;

    /** A row of several packets; empty where none is open. */
    private ByteBuf longRow = Unpooled.EMPTY_BUFFER;

    private @Nullable ErrPacket error;

    Collector(CompletableFuture<Answer> done) {
      this.done = done;
    }

    @Override
    public void packet(PacketKind kind, ByteBuf buf, int header, int length) {
      int payload = header + Packets.HEADER;
      switch (kind) {
        case OK, RESULT_END -> {
          if (succeeded++ == 0) {
            inTransaction = (OkPacket.status(buf, payload) & ServerStatus.IN_TRANS) != 0;
          }
        }
        case ERR -> error = ErrPacket.parse(buf, payload, length - Packets.HEADER);
        case COLUMN_COUNT -> columns = Lenenc.value(buf, payload);
        case ROW -> row(buf.slice(payload, length - Packets.HEADER));
        case COLUMN, LAST_COLUMN, PREPARE_OK, PARAMETER, TEXT -> {}
      }
    }

    private void row(ByteBuf packet) {
      if (packet.readableBytes() == Packets.MAX_PAYLOAD) {
        longRow = Unpooled.wrappedBuffer(longRow, packet.copy());
      } else if (longRow.isReadable()) {
        rows.add(values(Unpooled.wrappedBuffer(longRow, packet)));
        longRow = Unpooled.EMPTY_BUFFER;
      } else {
        rows.add(values(packet));
      }
    }

    private List<String> values(ByteBuf buf) {
      List<String> row = new ArrayList<>();
      int at = 0;
      for (long i = 0; i < columns; i++) {
        if (buf.getUnsignedByte(at) == 0xfb) {
          row.add("");
          at++;
          continue;
        }
        int length = Math.toIntExact(Lenenc.value(buf, at));
        at += Lenenc.width(buf, at);
        row.add(buf.toString(at, length, StandardCharsets.UTF_8));
        at += length;
      }
      return row;
    }

    @Override
    public void chunkEnd() {
      // nothing is kept of the buffer
    }

    @Override
    public void end(int status) {
      ErrPacket said = error;
      if (said == null) {
        done.complete(new Answer(rows, succeeded, inTransaction));
      } else {
        done.completeExceptionally(new Failed(said.toException(), succeeded, true));
      }
    }

    @Override
    public void failed(AlraiException reason) {
      done.completeExceptionally(new Failed(reason, succeeded, false));
    }
  }
}
