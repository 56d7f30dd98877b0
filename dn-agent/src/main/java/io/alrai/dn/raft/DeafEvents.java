package io.alrai.dn.raft;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * For a member that needs nothing of what it hears of its group, as a logger: it only has to know
 * when its log cannot be written any more.
 *
 * @param whenFailed is given the reason of that, on a thread of the log
 */
public record DeafEvents(Consumer<Throwable> whenFailed) implements GroupEvents {
  @Override
  public void committed(long term, long index, ByteBuffer entry) {}

  @Override
  public void leads(long term) {}

  @Override
  public void follows() {}

  @Override
  public void dropped() {}

  @Override
  public void failed(Throwable reason) {
    whenFailed.accept(reason);
  }
}
