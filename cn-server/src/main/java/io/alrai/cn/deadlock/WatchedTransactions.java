package io.alrai.cn.deadlock;

import io.alrai.cn.commit.SpanningTransactions;
import io.alrai.common.id.TransactionId;
import io.alrai.dn.link.Branch;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Interrupts a victim on its mysqlds; its session then rolls it back. */
final class WatchedTransactions implements OwnTransactions {
  private static final Logger log = LoggerFactory.getLogger(WatchedTransactions.class);

  private final SpanningTransactions spanning;
  private final WaitSource mysqlds;

  WatchedTransactions(SpanningTransactions spanning, WaitSource mysqlds) {
    this.spanning = spanning;
    this.mysqlds = mysqlds;
  }

  @Override
  public boolean none() {
    return spanning.isEmpty();
  }

  @Override
  public Set<TransactionId> stuck() {
    return spanning.stuck();
  }

  @Override
  public void end(TransactionId victim) {
    for (Branch waiting : spanning.chooseVictim(victim)) {
      boolean interrupted = mysqlds.kill(waiting.dn(), waiting.serverConnectionId());
      waiting
          .eventLoop()
          .execute(() -> {
            if (!interrupted) {
              waiting.close();
            }
            waiting.resume();
          });
      log.info("{} is rolled back to end a deadlock; it waited on {}", victim, waiting.dn());
    }
  }
}
