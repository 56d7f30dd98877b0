package io.alrai.cn.process;

import io.alrai.dn.link.DnMembers;
import io.alrai.dn.link.GroupOutlook;
import java.util.concurrent.CompletableFuture;

/** Members of a DN of which nothing is asked but how they are. */
public interface UnaskedMembers extends DnMembers {
  @Override
  default CompletableFuture<GroupOutlook> outlook(String member) {
    throw new AssertionError();
  }

  @Override
  default CompletableFuture<Void> changeLeader(String leader, String to) {
    throw new AssertionError();
  }

  @Override
  default CompletableFuture<Boolean> add(
      String leader, String member, String address, boolean keepsRows) {
    throw new AssertionError();
  }

  @Override
  default CompletableFuture<Boolean> drop(String leader, String member) {
    throw new AssertionError();
  }

  @Override
  default CompletableFuture<Void> rebuild(String member) {
    throw new AssertionError();
  }

  @Override
  default CompletableFuture<Void> endRebuild(String member) {
    throw new AssertionError();
  }
}
