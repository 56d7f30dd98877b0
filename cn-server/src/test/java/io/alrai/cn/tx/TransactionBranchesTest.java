package io.alrai.cn.tx;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.commit.SpanningTransactions;
import io.alrai.cn.tx.branch.TransactionBranch;
import io.alrai.cn.tx.branch.TransactionNumbers;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.dn.backend.FakeBranch;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

class TransactionBranchesTest {
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final FakeDns dns = new FakeDns(channel.eventLoop());
  private final TransactionBranches branches =
      new TransactionBranches(
          new TransactionNumbers(new NodeId("cn-1"), 1), new SpanningTransactions());

  private FakeBranch added(String dn) {
    FakeBranch branch = dns.branch(new DnId(dn), channel.eventLoop());
    branches.add(new TransactionBranch(branch, true));
    return branch;
  }

  @Test
  void aBranchThatComesAfterTheSessionHasGoneIsClosed() {
    FakeBranch before = added("dn-1");
    assertFalse(before.closed);
    branches.abandon();
    assertTrue(before.closed);
    assertTrue(added("dn-2").closed, "it would keep its locks for ever");
  }
}
