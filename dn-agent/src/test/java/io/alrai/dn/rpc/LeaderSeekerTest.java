package io.alrai.dn.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.dn.rpc.wire.LeaderHint;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Whom a node asks for the leader of a DN, and whom it believes. */
final class LeaderSeekerTest {
  private static final InetSocketAddress A = InetSocketAddress.createUnresolved("a", 1);
  private static final InetSocketAddress B = InetSocketAddress.createUnresolved("b", 2);
  private static final InetSocketAddress C = InetSocketAddress.createUnresolved("c", 3);

  private KnownMembers known =
      new KnownMembers(
          List.of(
              new KnownMembers.Member("dn-1-a", A),
              new KnownMembers.Member("dn-1-b", B),
              new KnownMembers.Member("dn-1-c", C)),
          B,
          3);
  private final LeaderSeeker seeker =
      new LeaderSeeker(
          new DnId("dn-1"), () -> known, Duration.ofSeconds(5), Duration.ofSeconds(20));
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final List<String> followers = new ArrayList<>();

  private LeaderSeeker.Follower follower() {
    return new LeaderSeeker.Follower() {
      @Override
      public void found(InetSocketAddress leader) {
        followers.add("found " + leader.getHostString());
      }

      @Override
      public void notFound(AlraiException reason) {
        followers.add(reason.sentence());
      }
    };
  }

  private void missed(InetSocketAddress place, String what) {
    seeker.missed(place, new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, what));
  }

  @Test
  void theCatalogsLeaderIsAskedFirstThenTheOthersThenThereIsAPause() {
    assertEquals(B, seeker.next());
    assertEquals(0, seeker.pauseMillis());
    assertEquals(A, seeker.next());
    assertEquals(C, seeker.next());
    assertEquals(20, seeker.pauseMillis());
    assertEquals(B, seeker.next());
    seeker.next();
    seeker.next();
    assertEquals(40, seeker.pauseMillis());
    for (int round = 0; round < 9; round++) {
      seeker.next();
      seeker.next();
      seeker.next();
      assertTrue(seeker.pauseMillis() <= 200);
    }
  }

  @Test
  void whoIsNamedIsAskedNext() {
    assertEquals(B, seeker.next());
    seeker.hinted(new LeaderHint(4, "dn-1-c"));
    assertEquals(0, seeker.pauseMillis());
    assertEquals(C, seeker.next());
  }

  @Test
  void aLateHintIsIgnored() {
    seeker.hinted(new LeaderHint(7, "dn-1-c"));
    assertEquals(C, seeker.next());
    seeker.hinted(new LeaderHint(6, "dn-1-a"));
    known = new KnownMembers(known.members(), A, 5);
    seeker.look();
    seeker.hinted(new LeaderHint(9, "stranger"));
    seeker.hinted(LeaderHint.NOBODY);
    assertEquals(A, seeker.next(), "in the order of the catalog");
    known = new KnownMembers(known.members(), B, 8);
    seeker.look();
    assertEquals(B, seeker.next());
  }

  @Test
  void whoFollowsGetsASentenceWhenTheTimeIsUp() {
    channel.freezeTime();
    seeker.follow(channel.eventLoop(), TimeUnit.SECONDS.toNanos(5), follower());
    missed(A, "cannot be reached");
    missed(B, "does not lead it");
    channel.advanceTimeBy(4_999, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
    assertEquals(List.of(), followers);
    channel.advanceTimeBy(1, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
    assertEquals(
        List.of(
            "no member of dn-1 is known to lead it: dn-1-a: cannot be reached; dn-1-b: does not"
                + " lead it; dn-1-c: has not answered yet"),
        followers);
  }

  @Test
  void oneReplicaIsWhereTheCatalogSays() {
    known = KnownMembers.alone(C);
    assertTrue(seeker.alone());
    seeker.follow(channel.eventLoop(), 0, follower());
    assertEquals(List.of("found c"), followers);
    assertEquals(C, seeker.next());
    known = KnownMembers.alone(A);
    seeker.look();
    assertEquals(A, seeker.next());
    assertEquals(A, seeker.next());
  }

  @Test
  void oneThatVotesAloneIsGivenTheTimeToBeginAnew() {
    assertEquals(Duration.ofSeconds(5), seeker.failoverWait());
    known = new KnownMembers(List.of(new KnownMembers.Member("dn-1", A)), A, 3);
    assertEquals(Duration.ofSeconds(20), seeker.failoverWait());
  }
}
