package io.alrai.dn.raft;

import java.nio.ByteBuffer;

/** A member that needs nothing of what it hears, as a logger; its log must not fail. Stateless. */
public final class DeafEvents implements GroupEvents {
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
    throw new AssertionError(reason);
  }
}
