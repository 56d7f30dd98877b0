package io.alrai.cn.process;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.net.HostPort;
import io.alrai.common.thread.VirtualAnswer;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.link.CommitFate;
import io.alrai.dn.link.DonorLogin;
import io.alrai.dn.link.MemberStatus;
import io.alrai.dn.rpc.GroupMembership;
import io.alrai.dn.rpc.wire.LeaderHint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The only replica of a DN, as others ask it: when a member is to be added it founds a group first.
 * Whoever has asked for that asks again, and finds the group's first member then. Thread-safe.
 */
final class SoleMember implements GroupMembership {
  /** How long an answer to {@link #add} waits. */
  private static final long SLICE_MILLIS = 500;

  private static final int REACH_MILLIS = 2_000;

  /** Founds the group; blocks. */
  interface Founder {
    /**
     * Returns when this is done, and the group's member is asked from now on.
     *
     * @throws AlraiException why it is not
     */
    void found() throws InterruptedException, IOException;
  }

  private final DnId dn;
  private final GroupMembership alone;
  private final Founder founder;
  private final Supplier<String> amiss;

  /** The attempt that is at work, or whose end nobody has heard of. */
  @GuardedBy("this")
  private @Nullable CompletableFuture<Void> attempt;

  /**
   * The member.
   *
   * @param amiss what is wrong with it although it serves; empty where nothing is
   */
  SoleMember(DnId dn, Founder founder, Supplier<String> amiss) {
    this.dn = dn;
    this.alone = GroupMembership.alone(dn);
    this.founder = founder;
    this.amiss = amiss;
  }

  @Override
  public synchronized CompletableFuture<Boolean> add(
      String member, String address, boolean keepsRows) {
    CompletableFuture<Void> now = attempt;
    if (now == null) {
      now = begin(member, address);
      attempt = now;
    }
    CompletableFuture<Void> asked = now;
    return now.thenApply(founded -> false)
        .completeOnTimeout(false, SLICE_MILLIS, TimeUnit.MILLISECONDS)
        .whenComplete((notYet, failed) -> {
          if (failed != null) {
            forget(asked);
          }
        });
  }

  /** Somebody has heard why it failed. */
  private synchronized void forget(CompletableFuture<Void> failed) {
    if (failed.equals(attempt)) {
      attempt = null;
    }
  }

  private CompletableFuture<Void> begin(String member, String address) {
    CompletableFuture<Void> begun = new CompletableFuture<>();
    Thread.ofVirtual()
        .name("found-" + dn)
        .start(() -> {
          try {
            reach(member, address);
            founder.found();
            begun.complete(null);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            begun.completeExceptionally(AlraiException.interruption(e));
          } catch (IOException | RuntimeException e) {
            begun.completeExceptionally(
                e instanceof AlraiException known
                    ? known
                    : new AlraiException(
                        ErrorCode.ALRAI_NODE_UNAVAILABLE,
                        dn + " has one replica still, and serves on: " + e.getMessage(),
                        e));
          }
        });
    return begun;
  }

  /** A group is not founded for one that is not there: it would have one member. */
  private void reach(String member, String address) {
    if (address.isEmpty()) {
      return; // a learner, which whoever asks has reached
    }
    InetSocketAddress place = HostPort.parse(address).resolved();
    try (Socket socket = new Socket()) {
      socket.connect(place, REACH_MILLIS);
    } catch (IOException e) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE,
          member
              + " cannot be reached at "
              + address
              + ", so "
              + dn
              + " has one replica still: see that its process runs, and repeat this",
          e);
    }
  }

  @Override
  public CompletableFuture<MemberStatus> status() {
    return VirtualAnswer.to("status", () -> MemberStatus.alone(dn.name()).with(amiss.get()));
  }

  @Override
  public CommitFate fate(long term, long connection, HlcTimestamp sent) {
    return alone.fate(term, connection, sent);
  }

  @Override
  public LeaderHint leader() {
    return alone.leader();
  }

  @Override
  public CompletableFuture<Void> changeLeader(String to) {
    return alone.changeLeader(to);
  }

  @Override
  public CompletableFuture<Boolean> drop(String member) {
    return alone.drop(member);
  }

  @Override
  public CompletableFuture<DonorLogin> offerRows() {
    return alone.offerRows();
  }

  @Override
  public Path mysqld() {
    return alone.mysqld();
  }

  @Override
  public CompletableFuture<Void> rebuild() {
    return alone.rebuild();
  }

  @Override
  public CompletableFuture<Void> endRebuild() {
    return alone.endRebuild();
  }
}
