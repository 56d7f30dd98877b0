package io.alrai.cn.process;

import io.netty.channel.SelectStrategy;
import io.netty.util.IntSupplier;

/**
 * An event loop with nothing to do lets others run before it sleeps. Those it waits for are often
 * on the same processors, so what they send is there when it is its turn again: nobody has to wake
 * it, and more of it has gathered. Stateless.
 */
final class YieldingSelect implements SelectStrategy {
  static final YieldingSelect INSTANCE = new YieldingSelect();

  private YieldingSelect() {}

  @Override
  public int calculateStrategy(IntSupplier readyNow, boolean hasTasks) throws Exception {
    int ready = readyNow.get();
    if (hasTasks || ready > 0) {
      return ready;
    }
    Thread.yield();
    ready = readyNow.get();
    return ready > 0 ? ready : SELECT;
  }
}
