package io.alrai.dn.rpc;

import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Ends a connection whose caller does not say who it is in time. Event loop only. */
final class HandshakeBound {
  private static final long MILLIS = 5_000;

  private final ScheduledFuture<?> bound;

  /**
   * Begins.
   *
   * @param said whether the caller has said it
   */
  HandshakeBound(ChannelHandlerContext ctx, BooleanSupplier said) {
    bound =
        ctx.executor()
            .schedule(
                () -> {
                  if (!said.getAsBoolean()) {
                    ctx.close();
                  }
                },
                MILLIS,
                TimeUnit.MILLISECONDS);
  }

  void kept() {
    bound.cancel(false);
  }
}
