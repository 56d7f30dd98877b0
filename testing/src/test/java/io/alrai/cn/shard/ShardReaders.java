package io.alrai.cn.shard;

import io.alrai.cn.branch.StatementIdSink;
import io.alrai.cn.branch.StatusSink;
import io.alrai.cn.branch.WarningsFetch;
import io.alrai.cn.branch.WatchedReply;
import io.alrai.cn.settings.Diagnostics;
import io.alrai.dn.backend.HostileOutcome;
import io.alrai.dn.backend.HostileReader;
import io.alrai.dn.backend.HostileReader.Shape;
import io.alrai.dn.link.Branch;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What reads the replies of shards. */
public final class ShardReaders {
  /** All readers of a shard's replies. */
  public static final List<HostileReader> ALL =
      List.of(
          HostileReader.of(Shape.ROWS, ShardReaders::status),
          HostileReader.of(Shape.ROWS, ShardReaders::call),
          HostileReader.of(Shape.ROWS, ShardReaders::callWithWarnings),
          HostileReader.of(Shape.ROWS, ShardReaders::watched),
          HostileReader.of(Shape.PREPARED, ShardReaders::statementId));

  private ShardReaders() {}

  private static void status(Branch branch, ByteBuf command, HostileOutcome outcome) {
    branch.send(command, Shape.ROWS.kind(), new StatusSink(error -> outcome.over()));
  }

  private static void call(Branch branch, ByteBuf command, HostileOutcome outcome) {
    branch.send(command, Shape.ROWS.kind(), outcome.call(branch));
  }

  private static void callWithWarnings(Branch branch, ByteBuf command, HostileOutcome outcome) {
    Queue<Diagnostics.Condition> told = new ConcurrentLinkedQueue<>();
    branch.send(command, Shape.ROWS.kind(), new WarningsFetch(outcome.call(branch), branch, told));
  }

  private static void watched(Branch branch, ByteBuf command, HostileOutcome outcome) {
    branch.send(
        command, Shape.ROWS.kind(), new WatchedReply(outcome.call(branch), branch, outcome::over));
  }

  private static void statementId(Branch branch, ByteBuf command, HostileOutcome outcome) {
    branch.send(
        command,
        Shape.PREPARED.kind(),
        new StatementIdSink(id -> outcome.over(), new StatusSink(error -> outcome.over())));
  }
}
