package io.alrai.cn.ddl.job;

import io.alrai.cn.branch.ShardCall;
import org.jspecify.annotations.Nullable;

/** What a thread of a job waits for. Thread-safe. */
public final class JobStep implements AutoCloseable {
  private static final int SHOWN = 1_000;

  private final JobAtWork job;
  private final String where;
  private final long sinceNanos;
  private volatile String what;
  private volatile @Nullable ShardCall call;

  /** How often it was logged that it takes long; the watch's. */
  private int told;

  JobStep(JobAtWork job, String where, String what, long sinceNanos) {
    this.job = job;
    this.where = where;
    this.what = shown(what);
    this.sinceNanos = sinceNanos;
  }

  private static String shown(String what) {
    return what.length() > SHOWN ? what.substring(0, SHOWN) + "..." : what;
  }

  /** How far it is. */
  public void says(String now) {
    what = shown(now);
  }

  /** Its statement has been sent. */
  void runs(ShardCall sent) {
    call = sent;
  }

  /** The statement, or what is waited for. */
  public String what() {
    return what;
  }

  /** The DN with its connection's id, as far as it is known, or who else is waited for. */
  public String where() {
    ShardCall sent = call;
    long connection = sent == null ? 0 : sent.connectionId();
    return connection == 0 ? where : where + " connection " + connection;
  }

  /** How long it has taken. */
  public long ageNanos(long nowNanos) {
    return nowNanos - sinceNanos;
  }

  int told() {
    return told;
  }

  void told(int times) {
    told = times;
  }

  @Override
  public void close() {
    job.ended(this);
  }
}
