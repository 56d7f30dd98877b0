package io.alrai.dn.rpc;

import io.alrai.common.id.NodeId;
import io.alrai.dn.link.CoordinatorPulse;
import io.alrai.dn.rpc.wire.Purpose;
import io.netty.channel.Channel;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.unix.Errors;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The nodes at the other ends of an agent's connections: when they were heard last, and the end of
 * those whose machine is gone without a word. Only its control connection finds the latter out: on
 * the others a peer that does not read for a while, because its client does not, looks the same to
 * TCP_USER_TIMEOUT, which counts while the peer's window is closed. Thread-safe.
 */
public final class Peers implements CoordinatorPulse {
  /** Sent bytes that nobody acknowledges for so long end a control connection. */
  private static final int UNACKNOWLEDGED_MILLIS = 10_000;

  /**
   * ENETUNREACH, ETIMEDOUT, EHOSTUNREACH: what a machine that says nothing ends connections with.
   */
  private static final Set<Integer> GONE = Set.of(-101, -110, -113);

  private final LongSupplier nanos;
  private final Map<String, Peer> peers = new ConcurrentHashMap<>();

  /** One node. Thread-safe. */
  static final class Peer {
    private final ChannelGroup data = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private volatile long heardNanos;

    /** A connection of that purpose. */
    void has(Channel channel, Purpose purpose) {
      if (purpose == Purpose.CONTROL) {
        control(channel);
      } else {
        data(channel);
      }
    }

    /** A connection that carries data, which may stand still. */
    void data(Channel channel) {
      data.add(channel); // a group forgets what was closed
    }

    /** A connection whose both ends always read. */
    void control(Channel channel) {
      channel.config().setOption(EpollChannelOption.TCP_USER_TIMEOUT, UNACKNOWLEDGED_MILLIS);
    }

    /** It does not answer, though its machine does: what waits for it there waits in vain. */
    void silent() {
      data.close();
    }

    /** Its control connection ended by this error. */
    void controlFailed(Throwable error) {
      if (error instanceof Errors.NativeIoException system && GONE.contains(system.expectedErr())) {
        data.close();
      }
    }
  }

  /**
   * No nodes yet.
   *
   * @param nanos as {@link System#nanoTime}
   */
  public Peers(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** The node of that name. */
  Peer of(String node) {
    return peers.computeIfAbsent(
        node,
        name -> {
          Peer fresh = new Peer();
          heard(fresh);
          return fresh;
        });
  }

  /** Something came from it. */
  void heard(Peer peer) {
    peer.heardNanos = nanos.getAsLong();
  }

  @Override
  public boolean heard(NodeId coordinator, Duration within) {
    Peer peer = peers.get(coordinator.name());
    return peer != null && nanos.getAsLong() - peer.heardNanos < within.toNanos();
  }
}
