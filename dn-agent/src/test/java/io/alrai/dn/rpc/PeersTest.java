package io.alrai.dn.rpc;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.id.NodeId;
import io.netty.channel.DefaultChannelId;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.Errors;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

final class PeersTest {
  private static final int ECONNRESET = -104;
  private static final int ETIMEDOUT = -110;

  private final Peers peers = new Peers(System::nanoTime);

  @BeforeAll
  static void loadWhatErrorsNeed() {
    Epoll.ensureAvailability();
  }

  private EmbeddedChannel of(String node) {
    EmbeddedChannel channel = new EmbeddedChannel(DefaultChannelId.newInstance());
    peers.of(node).data(channel);
    return channel;
  }

  private static IOException failure(int errno) {
    return new Errors.NativeIoException("recvAddress", errno);
  }

  @Test
  void aMachineThatIsGoneTakesItsConnectionsAlong() {
    EmbeddedChannel one = of("cn-1");
    EmbeddedChannel other = of("cn-1");
    EmbeddedChannel alive = of("cn-2");
    peers.of("cn-1").controlFailed(failure(ETIMEDOUT));
    assertFalse(one.isOpen());
    assertFalse(other.isOpen());
    assertTrue(alive.isOpen());
    assertTrue(of("cn-1").isOpen(), "it is back");
  }

  @Test
  void aProcessThatEndsHasSaidSoOnEachOfThem() {
    EmbeddedChannel one = of("cn-1");
    peers.of("cn-1").controlFailed(failure(ECONNRESET));
    peers.of("cn-1").controlFailed(new IllegalStateException("a defect"));
    peers.of("cn-3").controlFailed(failure(ETIMEDOUT));
    assertTrue(one.isOpen());
  }

  @Test
  void whoSaysNothingIsSilent() {
    NodeId node = new NodeId("cn-1");
    assertFalse(peers.heard(node, Duration.ofDays(1)), "never heard of it");
    Peers.Peer peer = peers.of("cn-1");
    peers.heard(peer);
    assertTrue(peers.heard(node, Duration.ofDays(1)));
    assertFalse(peers.heard(node, Duration.ZERO));
  }
}
