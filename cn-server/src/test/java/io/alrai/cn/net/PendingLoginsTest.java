package io.alrai.cn.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who goes when there is no place left. */
class PendingLoginsTest {
  private final InetAddress near = InetAddress.ofLiteral("10.0.0.1");
  private final InetAddress far = InetAddress.ofLiteral("2001:db8::1");
  private long nanos = Long.MAX_VALUE; // a clock may begin anywhere
  private final PendingLogins pending = new PendingLogins(() -> nanos);

  private Channel come(InetAddress from) {
    Channel channel = new EmbeddedChannel();
    pending.begin(channel, from);
    return channel;
  }

  @Test
  void theOldestGoes() {
    assertEquals(Optional.empty(), pending.oldest());
    Channel first = come(near);
    Channel second = come(far);
    assertEquals(Optional.empty(), pending.oldest(), "they have only just come");
    nanos += PendingLogins.GRACE_NANOS;
    Channel third = come(far);
    assertEquals(Optional.of(first), pending.oldest());
    pending.end(second); // has logged in
    assertEquals(Optional.empty(), pending.oldest());
    nanos += PendingLogins.GRACE_NANOS;
    assertEquals(Optional.of(third), pending.oldest());
    assertEquals(Optional.empty(), pending.oldest());
  }

  @Test
  void anAddressHasItsShare() {
    come(near);
    Channel first = come(far);
    come(far);
    nanos += PendingLogins.GRACE_NANOS;
    assertEquals(Optional.empty(), pending.oldestOf(far, 2));
    come(far);
    assertEquals(Optional.of(first), pending.oldestOf(far, 2));
    assertEquals(Optional.empty(), pending.oldestOf(far, 2));
    assertEquals(Optional.empty(), pending.oldestOf(near, 1));
  }
}
