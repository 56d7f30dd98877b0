package io.alrai.dn.rpc;

import io.netty.channel.Channel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import org.jspecify.annotations.Nullable;

/**
 * Whether an agent leads its DN, which changes at any time, and the sessions that belong to that.
 * Thread-safe.
 */
final class Leadership {
  /** One time of leading. */
  static final class Term {
    private final Leading leading;

    /** Closes at once what comes after its own end. */
    private final ChannelGroup sessions =
        new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);

    private Term(Leading leading) {
      this.leading = leading;
    }

    /** A session begins in it, and ends with it. */
    Leading serve(Channel session) {
      sessions.add(session);
      return leading;
    }
  }

  private volatile @Nullable Term present;
  private volatile LeaderHint hint = LeaderHint.NOBODY;

  /** The present one; null while this agent does not lead. */
  @Nullable Term present() {
    return present;
  }

  /** Who leads instead. */
  LeaderHint hint() {
    return hint;
  }

  /** The agent leads from now on. */
  synchronized void lead(Leading leading) {
    end();
    hint = LeaderHint.NOBODY;
    present = new Term(leading);
  }

  /** The agent leads no more, if it has led. */
  synchronized void follow(LeaderHint other) {
    hint = other;
    end();
  }

  private void end() {
    Term before = present;
    present = null;
    if (before != null) {
      before.sessions.close();
    }
  }
}
