package io.alrai.cn.session;

import java.util.concurrent.CompletableFuture;

/** A session that nobody can end, and whose work is what the test says. */
public final class FixedEntry implements SessionRegistry.Entry {
  private final Session session;
  private final CompletableFuture<SessionWork> work;

  /** How often it was asked what it does. */
  public int asked;

  public FixedEntry(Session session, CompletableFuture<SessionWork> work) {
    this.session = session;
    this.work = work;
  }

  @Override
  public Session session() {
    return session;
  }

  @Override
  public CompletableFuture<SessionWork> work() {
    asked++;
    return work;
  }

  @Override
  public int commands() {
    return 0;
  }

  @Override
  public boolean atWork() {
    return false;
  }

  @Override
  public void endIdle() {}

  @Override
  public void endAfterTransaction() {}

  @Override
  public void endQuiet() {}

  @Override
  public void killQuery() {}

  @Override
  public void killConnection() {}
}
