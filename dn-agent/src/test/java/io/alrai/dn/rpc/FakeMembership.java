package io.alrai.dn.rpc;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.link.CommitFate;
import io.alrai.dn.link.DonorLogin;
import io.alrai.dn.link.MemberStatus;
import io.alrai.dn.rpc.wire.LeaderHint;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** A member that is asked nothing but what a test overrides. */
class FakeMembership implements GroupMembership {
  private static UnsupportedOperationException notAsked() {
    return new UnsupportedOperationException("the test does not expect that question");
  }

  @Override
  public CompletableFuture<MemberStatus> status() {
    throw notAsked();
  }

  @Override
  public CommitFate fate(long term, long connection, HlcTimestamp sent) {
    throw notAsked();
  }

  @Override
  public LeaderHint leader() {
    return LeaderHint.NOBODY;
  }

  @Override
  public CompletableFuture<Void> changeLeader(String to) {
    throw notAsked();
  }

  @Override
  public CompletableFuture<Boolean> add(String member, String address, boolean keepsRows) {
    throw notAsked();
  }

  @Override
  public CompletableFuture<Boolean> drop(String member) {
    throw notAsked();
  }

  @Override
  public CompletableFuture<DonorLogin> offerRows() {
    throw notAsked();
  }

  @Override
  public Path mysqld() {
    throw notAsked();
  }

  @Override
  public CompletableFuture<Void> rebuild() {
    throw notAsked();
  }

  @Override
  public CompletableFuture<Void> endRebuild() {
    throw notAsked();
  }
}
