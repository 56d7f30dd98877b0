package io.alrai.cn.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.tx.FakeBranch;
import io.alrai.cn.tx.FakeDns;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Connections that are reset before others have them. */
final class BranchResetTest {
  /** The reset, and a PING behind what was sent. */
  private static final String NO_TEXT = "";

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final FakeDns dns = new FakeDns(channel.eventLoop());

  private FakeBranch branch() {
    dns.take(
        new DnId("dn-1"),
        "",
        new BranchTaker() {
          @Override
          public void taken(Branch branch) {}

          @Override
          public void refused(AlraiException reason) {
            throw reason;
          }
        });
    return dns.branches.getLast();
  }

  @Test
  void whatIsPreparedOnItIsItsOwnToEndAlsoBehindAReset() {
    FakeBranch branch = branch();
    branch.keepsPrepared = true;
    BranchReset.release(branch);
    channel.runPendingTasks();
    assertEquals(
        List.of(NO_TEXT, "SET SESSION xa_detach_on_prepare=OFF", NO_TEXT), branch.statements);
    assertTrue(branch.released);
  }

  @Test
  void whatDoesNotKeepItIsToldNothingMore() {
    FakeBranch branch = branch();
    BranchReset.release(branch);
    channel.runPendingTasks();
    assertEquals(List.of(NO_TEXT, NO_TEXT), branch.statements);
    assertTrue(branch.released);
  }

  @Test
  void oneThatCannotBeResetIsClosed() {
    dns.mute.clear();
    FakeBranch branch = branch();
    branch.silent = true;
    BranchReset.release(branch);
    branch.close();
    branch.silent = false;
    branch.flush();
    channel.runPendingTasks();
    assertFalse(branch.released);
    assertFalse(branch.alive());
  }
}
