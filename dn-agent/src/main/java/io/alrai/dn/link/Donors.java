package io.alrai.dn.link;

import io.netty.channel.Channel;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The members of a DN, as one of them sees them that needs rows. Thread-safe. */
public interface Donors {
  /** The names of those that have rows, this one's too. */
  List<String> names();

  /** What a member says of itself; fails when it does not answer within about a second. */
  CompletableFuture<MemberStatus> ask(String member);

  /**
   * Asks a member to let itself be cloned.
   *
   * @return fails with why it does not
   */
  CompletableFuture<DonorLogin> offer(String member);

  /**
   * Relays bytes between a channel and a member's mysqld until either ends.
   *
   * @param recipient nothing was read from it yet, and it does not read by itself
   * @param lost called when the member's end went first, or was not there; on the channel's loop
   */
  void relay(String member, Channel recipient, Runnable lost);
}
