package io.alrai.cn.branch;

import io.alrai.common.error.AlraiException;
import io.alrai.common.wire.PacketKind;
import io.alrai.common.wire.Packets;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBuf;
import java.util.function.IntConsumer;

/** Reads a mysqld's statement id; an error goes on to the client. Event loop only. */
public final class StatementIdSink implements ReplySink {
  private final IntConsumer prepared;
  private final ReplySink otherwise;
  private int id;
  private boolean error;

  public StatementIdSink(IntConsumer prepared, ReplySink otherwise) {
    this.prepared = prepared;
    this.otherwise = otherwise;
  }

  @Override
  public void packet(PacketKind kind, ByteBuf buf, int header, int length) {
    if (kind == PacketKind.PREPARE_OK) {
      id = buf.getIntLE(header + Packets.HEADER + 1);
    } else if (kind == PacketKind.ERR) {
      error = true;
      otherwise.packet(kind, buf, header, length);
    }
  }

  @Override
  public void chunkEnd() {
    if (error) {
      otherwise.chunkEnd();
    }
  }

  @Override
  public void end(int status) {
    if (error) {
      otherwise.end(status);
    } else {
      prepared.accept(id);
    }
  }

  @Override
  public void failed(AlraiException reason) {
    otherwise.failed(reason);
  }
}
