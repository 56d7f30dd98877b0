package io.alrai.dn.group;

/** Nobody waits for what a view reports to it; a failure is the test's. */
public final class DeafListener implements GroupView.Listener {
  @Override
  public void changed() {
    // nobody waits
  }

  @Override
  public void failed(Throwable reason) {
    throw new AssertionError(reason);
  }
}
