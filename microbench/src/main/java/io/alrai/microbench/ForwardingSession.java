package io.alrai.microbench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.alrai.cn.protocol.ForwardedReply;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.type.MysqlType;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.common.wire.Command;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.Packets;
import io.alrai.common.wire.ReplyKind;
import io.alrai.common.wire.ServerStatus;
import io.alrai.common.wire.StateChange;
import io.alrai.dn.backend.PipelinedBranch;
import io.alrai.dn.link.ReadWatch;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A client's session that forwards over one branch; both ends are in memory. One thread. */
final class ForwardingSession {
  private static final String PHYSICAL = "a17_p00003";
  private static final byte[] COMMAND =
      "SELECT id, c FROM sbtest1 WHERE id=4711".getBytes(US_ASCII);
  private static final byte[] PHYSICAL_NAME = PHYSICAL.getBytes(US_ASCII);
  private static final byte[] LOGICAL_NAME = "sbtest".getBytes(US_ASCII);
  private static final int UTF8MB4 = 255;

  private final EmbeddedChannel client = new EmbeddedChannel();
  private final EmbeddedChannel mysqld = new EmbeddedChannel();
  private final ForwardedReply reply =
      new ForwardedReply(client, true, message -> message, new Listener());
  private final PipelinedBranch branch =
      new PipelinedBranch(new DnId("dn-1"), mysqld, 1, new Home(), ReadWatch.NONE);

  ForwardingSession() {
    mysqld.pipeline().addLast(branch);
  }

  /** Writes the head of a result of two columns; gives the next sequence number. */
  static int writeColumns(ByteBuf out) {
    List<ColumnDefinition> columns =
        List.of(
            new ColumnDefinition(
                PHYSICAL,
                "sbtest1",
                "sbtest1",
                "id",
                "id",
                ColumnDefinition.BINARY_CHARSET,
                11,
                MysqlType.INT,
                ColumnDefinition.NOT_NULL,
                0),
            new ColumnDefinition(
                PHYSICAL, "sbtest1", "sbtest1", "c", "c", UTF8MB4, 480, MysqlType.CHAR, 1, 0));
    int sequence = 1;
    Packets.write(out, sequence++, Unpooled.buffer().writeByte(columns.size()));
    for (ColumnDefinition column : columns) {
      int header = Packets.begin(out, sequence++);
      column.write(out);
      Packets.end(out, header);
    }
    return sequence;
  }

  /** Ends a result, and gives its bytes. */
  static byte[] end(ByteBuf out, int sequence) {
    Packets.writeResultEnd(out, sequence, 0, ServerStatus.AUTOCOMMIT);
    byte[] bytes = new byte[out.readableBytes()];
    out.readBytes(bytes);
    return bytes;
  }

  /** Sends the query, takes that result for it, and gives how many bytes the client gets. */
  int forward(byte[] result) {
    reply.begin(PHYSICAL_NAME, LOGICAL_NAME, null, ServerStatus.AUTOCOMMIT, 1);
    ByteBuf command = mysqld.alloc().buffer(COMMAND.length + Packets.HEADER + 1);
    Packets.writeCommand(command, Command.QUERY, COMMAND);
    branch.send(command, ReplyKind.RESULTS, reply);
    branch.flush();
    takeSent(mysqld);
    mysqld.writeInbound(mysqld.alloc().buffer(result.length).writeBytes(result));
    if (branch.busy()) {
      throw new IllegalStateException("the result has no end");
    }
    return takeSent(client);
  }

  private static int takeSent(EmbeddedChannel channel) {
    int bytes = 0;
    ByteBuf sent;
    while ((sent = channel.readOutbound()) != null) {
      bytes += sent.readableBytes();
      sent.release();
    }
    return bytes;
  }

  /** A client that only reads. */
  private record Listener() implements ForwardedReply.Listener {
    @Override
    public StateChange stateChange() {
      return StateChange.NONE;
    }

    @Override
    public AlraiException told(AlraiException failure) {
      return failure;
    }

    @Override
    public boolean runsAgain(AlraiException failure) {
      return false;
    }

    @Override
    public void again() {
      throw new IllegalStateException("nothing runs again");
    }

    @Override
    public void forwarded(@Nullable AlraiException failure, @Nullable OkPacket ok) {
      if (failure != null) {
        throw failure;
      }
    }

    @Override
    public void disturbed() {
      throw new IllegalStateException("no read is watched");
    }

    @Override
    public void lost(AlraiException reason, ForwardedReply.Had client) {
      throw reason;
    }
  }

  /** Where the branch never goes. */
  private record Home() implements PipelinedBranch.Home {
    @Override
    public void returned(PipelinedBranch given) {
      throw new IllegalStateException("the branch is kept");
    }

    @Override
    public void lost(PipelinedBranch gone) {
      throw new IllegalStateException("the branch is lost");
    }
  }
}
