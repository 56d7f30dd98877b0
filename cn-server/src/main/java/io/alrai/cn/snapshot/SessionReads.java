package io.alrai.cn.snapshot;

/** What a session demands of its reads. Event loop only. */
public final class SessionReads {
  private long stamp;
  private boolean eventual;
  private boolean conflicts;
  private final ReplicaReads replicas = new ReplicaReads();

  /** The largest stamp that it wrote or read, as 64 bits of HLC; 0 for none. */
  public long stamp() {
    return stamp;
  }

  /** The session has written or read this stamp; lower ones change nothing. */
  public void saw(long seen) {
    if (seen > stamp) {
      stamp = seen;
    }
  }

  /** {@code read_consistency = 'eventual'}: reads over several DNs need no common snapshot. */
  public boolean eventual() {
    return eventual;
  }

  public void eventual(boolean on) {
    eventual = on;
  }

  /** Which reads go to members that follow. */
  public ReplicaReads replicas() {
    return replicas;
  }

  /** Whether reads there see one snapshot. */
  public boolean consistentReplicas() {
    return replicas.settings().consistent() && !eventual;
  }

  /**
   * {@code snapshot_isolation_conflicts}: no row is written that another transaction has changed
   * since the snapshot.
   */
  public boolean conflicts() {
    return conflicts;
  }

  public void conflicts(boolean on) {
    conflicts = on;
  }
}
