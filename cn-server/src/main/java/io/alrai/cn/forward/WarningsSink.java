package io.alrai.cn.forward;

import io.alrai.cn.branch.Commands;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.common.error.AlraiException;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.Lenenc;
import io.alrai.common.wire.PacketKind;
import io.alrai.common.wire.Packets;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Reads the answer to SHOW WARNINGS. Event loop only. */
public final class WarningsSink implements ReplySink {
  private final Consumer<List<Condition>> done;
  private final UnaryOperator<String> logicalNames;
  private final List<Condition> conditions = new ArrayList<>();

  /** Tells {@code done} of the warnings that come. */
  public WarningsSink(Consumer<List<Condition>> done, UnaryOperator<String> logicalNames) {
    this.done = done;
    this.logicalNames = logicalNames;
  }

  /**
   * Asks {@code branch} for the warnings of its last statement.
   *
   * @param logicalNames makes names of shards those that clients know
   * @param done gets them; those that came until then where the branch breaks
   */
  public static void fetch(
      Branch branch, UnaryOperator<String> logicalNames, Consumer<List<Condition>> done) {
    branch.send(
        Commands.query(ByteBufAllocator.DEFAULT, Sql.of("SHOW WARNINGS")),
        ReplyKind.RESULTS,
        new WarningsSink(done, logicalNames));
    branch.flush();
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
