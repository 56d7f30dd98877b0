package io.alrai.dn.group;

import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.binlog.LogReader;
import io.alrai.dn.xa.DecisionLog;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** A group's log as the one that tells a new leader what was decided. Thread-safe. */
public final class GroupDecisions implements DecisionLog {
  private final GroupSource source;
  private final GroupView view;
  private final Function<GtidSet, CompletableFuture<Long>> settling;

  /**
   * For one lead.
   *
   * @param settling writes into the log what is settled
   */
  public GroupDecisions(
      GroupSource source, GroupView view, Function<GtidSet, CompletableFuture<Long>> settling) {
    this.source = source;
    this.view = view;
    this.settling = settling;
  }

  @Override
  public LogReader open(GtidSet from, long boundBytes) {
    GroupReader reader = source.open(from);
    return new LogReader() {
      @Override
      public Optional<BinlogTransaction> poll(long millis) throws InterruptedException {
        return Optional.ofNullable(reader.poll(millis)).map(Shipped::transaction);
      }

      @Override
      public void close() {
        reader.close();
      }
    };
  }

  @Override
  public GtidSet settled() {
    return view.progress().settled();
  }

  @Override
  public CompletableFuture<Void> settle(GtidSet settled) {
    return settling.apply(settled).thenAccept(index -> {});
  }

  @Override
  public boolean ofMysqld() {
    return false;
  }
}
