package io.alrai.cn.tx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.snapshot.SessionReads;
import io.alrai.cn.tx.branch.TransactionNumbers;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class XaEndingTest {
  private static final DnId A = new DnId("dn-1");

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final FakeDns dns = new FakeDns(channel.eventLoop());
  private final XaEnding ending =
      new XaEnding(dns, new SessionReads(), new TransactionNumbers(new NodeId("cn-1"), 1));

  @Test
  void whatIsPreparedIsEnteredInOneText() {
    dns.dataNodes.add(A);
    CompletableFuture<Void> prepared =
        ending.prepare(new XaEnding.Work(List.of(), Optional.empty()), "1:61:");
    channel.runPendingTasks();
    assertEquals(Future.State.SUCCESS, prepared.state());
    String sent = dns.branch(A).statements.getLast();
    assertTrue(
        sent.matches("START TRANSACTION READ WRITE;INSERT INTO alrai.tx_log .*;COMMIT .*"), sent);
  }
}
