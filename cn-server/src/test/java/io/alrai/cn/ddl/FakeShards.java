package io.alrai.cn.ddl;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.ddl.job.DdlShards;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.dn.link.DnMembers;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Some {@link FakeMysqld}s, and a CN that may die before or after each statement. */
public final class FakeShards implements DdlShards {
  public final TreeMap<DnId, FakeMysqld> mysqlds = new TreeMap<>();
  private final CrashPoints crashes;

  /** Texts that hang until their thread is interrupted. */
  volatile Predicate<String> hanging = sql -> false;

  /** Texts that are refused for what they are. */
  public volatile Predicate<String> refused = sql -> false;

  final AtomicInteger refusals = new AtomicInteger();
  private final Semaphore hung = new Semaphore(0);
  private int passed;
  private int breaksAfter;

  public FakeShards(int count, CrashPoints crashes) {
    this.crashes = crashes;
    for (int i = 1; i <= count; i++) {
      mysqlds.put(new DnId("dn-" + i), new FakeMysqld());
    }
  }

  FakeMysqld mysqld(DnId dn) {
    FakeMysqld mysqld = mysqlds.get(dn);
    if (mysqld == null) {
      throw new IllegalArgumentException("no DN " + dn);
    }
    return mysqld;
  }

  /** The groups of DNs. */
  Map<DnId, DnMembers> members = Map.of();

  @Override
  public Map<DnId, DnMembers> members() {
    return members;
  }

  @Override
  public List<DnId> dns() {
    return List.copyOf(mysqlds.keySet());
  }

  /** Returns when one more statement hangs. */
  void awaitHung() throws InterruptedException {
    assertTrue(hung.tryAcquire(10, TimeUnit.SECONDS), "nothing hangs");
  }

  private void hang(Sql text) {
    String sql = text.text();
    if (refused.test(sql)) {
      refusals.incrementAndGet();
      throw new AlraiException(ErrorCode.ER_TOO_LONG_IDENT, "Identifier name is too long");
    }
    if (hanging.test(sql)) {
      hung.release();
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw AlraiException.interruption(e);
      }
    }
  }

  @Override
  public Executed execute(DnId dn, String currentSchema, Map<String, String> settings, Sql sql) {
    hang(sql);
    return done(dn, currentSchema, sql);
  }

  private synchronized Executed done(DnId dn, String currentSchema, Sql sql) {
    crashes.point();
    mysqld(dn).execute(currentSchema, sql.text());
    crashes.point();
    mayBreak();
    return new Executed(0, List.of());
  }

  /**
   * From now on counts statements anew.
   *
   * @param statement after which a connection breaks, once; the first is 1
   */
  synchronized void breakAfter(int statement) {
    passed = 0;
    breaksAfter = statement;
  }

  /** Whether it has not broken yet. */
  synchronized boolean stillBreaks() {
    return passed < breaksAfter;
  }

  private void mayBreak() {
    passed++;
    if (passed == breaksAfter) {
      throw new AlraiException(ErrorCode.CR_SERVER_LOST, "the connection broke");
    }
  }

  @Override
  public void read(DnId dn, Map<String, String> settings, Sql sql, Consumer<String> row) {
    hang(sql);
    int rows = mysqld(dn).rowsOf(sql.text());
    for (int i = 0; i < rows; i++) {
      row.accept("(1)");
    }
  }

  @Override
  public synchronized List<List<String>> query(DnId dn, String currentSchema, Sql sql) {
    if (crashes.dead()) {
      throw new CrashPoints.Death();
    }
    return mysqld(dn).query(sql.text());
  }
}
