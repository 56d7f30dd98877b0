package io.alrai.cn.tx;

import static org.junit.jupiter.api.Assertions.assertSame;

import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.settings.SettingsRegistry;
import io.alrai.cn.snapshot.ForwardingBranch;
import io.alrai.cn.snapshot.ReadLog;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.backend.HostileOutcome;
import io.alrai.dn.backend.HostileReader;
import io.alrai.dn.backend.HostileReader.Shape;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Map;

/** What reads the replies of branches of a transaction. */
public final class TransactionReaders {
  /** All readers of a transaction's replies. */
  public static final List<HostileReader> ALL =
      List.of(
          HostileReader.of(Shape.BEGUN_ROWS, TransactionReaders::beginning),
          HostileReader.of(Shape.ROWS, TransactionReaders::noted),
          HostileReader.of(Shape.ROWS, TransactionReaders::again));

  private TransactionReaders() {}

  private static void beginning(Branch branch, ByteBuf command, HostileOutcome outcome) {
    new BeginningBranch(branch, Sql.of("XA START 'x';SAVEPOINT s"), HostileReader.BEGINNINGS)
        .send(command, Shape.BEGUN_ROWS.kind(), outcome.call(branch));
  }

  private static void noted(Branch branch, ByteBuf command, HostileOutcome outcome) {
    ReadLog log = new ReadLog();
    log.noting(branch, new SettingsRegistry().defaults(), "s")
        .send(command, Shape.ROWS.kind(), outcome.call(branch));
    outcome.check(() -> {
      if (!log.isComplete()) {
        // it has given up, and is not waiting for a reply that will never come
        assertSame(branch, log.noting(branch, new SettingsRegistry().defaults(), "s"));
      }
    });
  }

  /** A read that was noted is done again; it is the same only if its reply says that. */
  private static void again(Branch branch, ByteBuf command, HostileOutcome outcome) {
    ReadLog log = new ReadLog();
    Branch before =
        new ForwardingBranch(branch) {
          @Override
          public void send(ByteBuf sent, ReplyKind reply, ReplySink sink) {
            sent.release();
            sink.end(0);
          }
        };
    ShardCall none = new ShardCall(() -> {});
    none.runsOn(branch);
    log.noting(before, new SettingsRegistry().defaults(), "")
        .send(command, Shape.ROWS.kind(), none);
    log.isSameOn(Map.of(branch.dn(), branch)).whenComplete((same, error) -> outcome.over());
  }
}
