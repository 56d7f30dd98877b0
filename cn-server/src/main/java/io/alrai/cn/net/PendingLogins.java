package io.alrai.cn.net;

import io.netty.channel.Channel;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Clients that have not logged in. They hold places that others want, and anybody may connect: so
 * where there is no place left, who has been at his login for longest goes, unless he has only just
 * come. Also an administrator gets his place so. Thread-safe.
 */
final class PendingLogins {
  /** As long as that a login may take on a busy machine, if it goes on as it should. */
  static final long GRACE_NANOS = 500_000_000;

  private record Pending(InetAddress address, long sinceNanos) {}

  private final LongSupplier nanos;

  /** In the order of their coming. Guarded by this, as is the next. */
  private final Map<Channel, Pending> pending = new LinkedHashMap<>();

  private final Map<InetAddress, Integer> ofAddress = new HashMap<>();

  /** By this clock, which only goes forward. */
  PendingLogins(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** A client has come. */
  synchronized void begin(Channel channel, InetAddress address) {
    pending.put(channel, new Pending(address, nanos.getAsLong()));
    ofAddress.merge(address, 1, Integer::sum);
  }

  /** It has logged in, or is gone. */
  synchronized void end(Channel channel) {
    Pending known = pending.remove(channel);
    if (known != null) {
      ofAddress.computeIfPresent(known.address, (of, count) -> count == 1 ? null : count - 1);
    }
  }

  /**
   * The login that has to make room for another; empty where all have only just come. It no longer
   * counts.
   */
  synchronized Optional<Channel> oldest() {
    Iterator<Map.Entry<Channel, Pending>> first = pending.entrySet().iterator();
    return first.hasNext() ? goes(first.next()) : Optional.empty();
  }

  /** The oldest login of an address, if that has more than it may have. */
  synchronized Optional<Channel> oldestOf(InetAddress address, int most) {
    if (ofAddress.getOrDefault(address, 0) <= most) {
      return Optional.empty();
    }
    for (Map.Entry<Channel, Pending> entry : pending.entrySet()) {
      if (entry.getValue().address.equals(address)) {
        return goes(entry);
      }
    }
    return Optional.empty();
  }

  private Optional<Channel> goes(Map.Entry<Channel, Pending> entry) {
    if (nanos.getAsLong() - entry.getValue().sinceNanos < GRACE_NANOS) {
      return Optional.empty();
    }
    Channel channel = entry.getKey();
    end(channel);
    return Optional.of(channel);
  }
}
