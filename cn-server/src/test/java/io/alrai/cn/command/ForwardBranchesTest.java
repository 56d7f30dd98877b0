package io.alrai.cn.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.branch.RowAccess;
import io.alrai.cn.forward.ForwardSender;
import io.alrai.cn.process.FakeClient;
import io.alrai.cn.process.FakeCn;
import io.alrai.common.error.AlraiException;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.ReplySink;
import io.alrai.dn.link.ViewOpener;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Branches that come when their statement waits for them, and when it does not any more. */
class ForwardBranchesTest implements ForwardBranches.Waiter {
  private final FakeCn cn = new FakeCn();
  private final FakeClient client = cn.client();
  private final ForwardBranches branches = new ForwardBranches(client.connection, this);
  private final ForwardBranches.Request request =
      new ForwardBranches.Request(
          cn.dns.dataNodes.getFirst(),
          BackendAccount.DATA,
          "",
          "",
          RowAccess.CONSISTENT,
          false,
          0,
          1);
  private final List<String> told = new ArrayList<>();
  private boolean awaits = true;

  @AfterEach
  void nothingIsLeft() {
    cn.close();
  }

  @Override
  public boolean awaits(ForwardBranches.Request what) {
    return awaits && what == request;
  }

  @Override
  public void taken(
      ForwardBranches.Request what, Branch taken, boolean inTransaction, boolean watches) {
    told.add("taken");
    taken.release();
  }

  @Override
  public void viewed(ForwardBranches.Request what, Branch view) {
    told.add("viewed");
    view.release();
  }

  @Override
  public void notTaken(AlraiException reason) {
    told.add("not taken: " + reason.sentence());
  }

  @Override
  public void defect(Throwable cause) {
    told.add("defect: " + cause.getMessage());
  }

  private void take() {
    branches.take(
        request,
        new ForwardSender() {
          @Override
          public void send(Branch branch, ReplySink reply) {
            throw new UnsupportedOperationException("the waiter sends nothing");
          }

          @Override
          public boolean sendsText() {
            return false;
          }

          @Override
          public void over() {}
        },
        false,
        false);
  }

  @Test
  void aBranchThatIsAwaitedIsTaken() {
    take();
    assertEquals(List.of("taken"), told);
    assertFalse(cn.branch().closed);
  }

  @Test
  void aBranchThatNobodyAwaitsIsGivenBack() {
    cn.dns.full = true;
    take();
    awaits = false;
    cn.dns.giveLate();
    assertTrue(cn.branch().released);
    assertFalse(cn.branch().closed);
    assertEquals(List.of(), told);
  }

  @Test
  void aViewThatNobodyAwaitsIsGivenBack() {
    CompletableFuture<ViewOpener.Opening> later = new CompletableFuture<>();
    cn.dns.silent.put(request.dn(), later);
    branches.readAtSnapshot(request);
    awaits = false;
    later.complete(new ViewOpener.Opening.Open());
    cn.loop.settle();
    assertTrue(cn.branch().released);
    assertFalse(cn.branch().closed);
    assertEquals(List.of(), told);
  }

  @Test
  void thatThereIsNoBranchIsToldToWhoAwaitsIt() {
    cn.dns.down.add(request.dn());
    take();
    branches.readAtSnapshot(request);
    cn.loop.settle();
    String down = "not taken: " + request.dn() + " is down";
    assertEquals(List.of(down, down), told);
    awaits = false;
    take();
    branches.readAtSnapshot(request);
    cn.loop.settle();
    assertEquals(2, told.size());
  }
}
