package io.alrai.cn.snapshot;

import io.alrai.cn.settings.ReplicaSettings;

/**
 * Whether the statement at work reads at members that follow. Where it fails there it runs again at
 * the leaders, which say the same or better. Event loop only, or the thread that has the session.
 */
public final class ReplicaReads {
  private ReplicaSettings settings = ReplicaSettings.standard();
  private boolean chosen;
  private boolean left;

  /** The session's variables. */
  public ReplicaSettings settings() {
    return settings;
  }

  public void settings(ReplicaSettings changed) {
    settings = changed;
  }

  /** Another statement begins. */
  public void next() {
    chosen = false;
    left = false;
  }

  /** Whether some statements are to go there, and this one has not failed there. */
  public boolean wanted() {
    return settings.leaderWeight() < 100 && !left;
  }

  /**
   * Chooses for a statement that can go there.
   *
   * @param percent 0 to 99, each as often as the others
   * @return whether it goes there
   */
  public boolean choose(int percent) {
    chosen = percent >= settings.leaderWeight();
    return chosen;
  }

  /** Whether the statement at work goes there. */
  public boolean chosen() {
    return chosen;
  }

  /**
   * The statement goes to leaders from now on.
   *
   * @return whether it did not before
   */
  public boolean leave() {
    left |= chosen;
    boolean before = chosen;
    chosen = false;
    return before;
  }
}
