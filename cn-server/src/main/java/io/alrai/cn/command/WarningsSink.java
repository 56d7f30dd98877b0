package io.alrai.cn.command;

import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.common.error.AlraiException;
import io.alrai.common.wire.Lenenc;
import io.alrai.common.wire.PacketKind;
import io.alrai.common.wire.Packets;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Reads the answer to SHOW WARNINGS. Event loop only. */
final class WarningsSink implements ReplySink {
  private final Consumer<List<Condition>> done;
  private final UnaryOperator<String> logicalNames;
  private final List<Condition> conditions = new ArrayList<>();

  WarningsSink(Consumer<List<Condition>> done, UnaryOperator<String> logicalNames) {
    this.done = done;
    this.logicalNames = logicalNames;
  }

  @Override
  public void packet(PacketKind kind, ByteBuf buf, int header, int length) {
    if (kind != PacketKind.ROW) {
      return;
    }
    ByteBuf row = buf.slice(header + Packets.HEADER, length - Packets.HEADER);
    String level = text(row);
    int code = Integer.parseInt(text(row));
    conditions.add(new Condition(level, code, logicalNames.apply(text(row))));
  }

  private static String text(ByteBuf row) {
    return new String(Lenenc.readBytes(row), StandardCharsets.UTF_8);
  }

  @Override
  public void chunkEnd() {}

  @Override
  public void end(int status) {
    done.accept(conditions);
  }

  @Override
  public void failed(AlraiException reason) {
    done.accept(conditions);
  }
}
