package io.alrai.cn.held;

import io.alrai.cn.branch.BranchControl;
import io.alrai.cn.branch.BranchSource;
import io.alrai.cn.snapshot.TransactionSource;
import io.alrai.cn.snapshot.ViewRequests;
import io.alrai.cn.tx.branch.BranchEnding;
import io.alrai.cn.tx.branch.TransactionBranch;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.sql.Sql;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The branches of a session that has tables locked, one on every DN. The mysqlds keep the locks;
 * all that the session does runs on these branches until they are given back. Event loop only,
 * unless said otherwise.
 *
 * <pre>
 * FREE -> HELD (hold, one DN after the other) -> FREE (unlock, drop)
 * </pre>
 */
public final class TableLocks {
  private final TransactionSource source;
  private final Map<DnId, HeldBranch> branches = new LinkedHashMap<>(4);
  private volatile boolean held;
  private volatile LockedTables tables = LockedTables.NONE;
  private boolean abandoned;

  public TableLocks(TransactionSource source) {
    this.source = source;
  }

  /** Whether statements run on branches that the session keeps. Any thread that has the session. */
  public boolean held() {
    return held;
  }

  /** Whether the session may write to what it has locked. Any thread that has the session. */
  public boolean writes() {
    return tables.writes();
  }

  /** What is locked, by name. Any thread that has the session. */
  public LockedTables tables() {
    return tables;
  }

  /** Records what is locked, until it is unlocked. Any thread that has the session. */
  public void tables(LockedTables named) {
    tables = held ? named : LockedTables.NONE;
  }

  /** Takes a branch of a DN and keeps it; the caller locks the tables on it. */
  public CompletableFuture<Void> hold(DnId dn) {
    return ViewRequests.take(source, dn)
        .thenCompose(branch -> {
          if (abandoned) {
            branch.close();
            return CompletableFuture.failedFuture(AlraiException.interruption());
          }
          held = true;
          branches.put(dn, new HeldBranch(branch));
          return source.rows(dn).suspend(branch);
        });
  }

  /** A branch for what runs outside of a transaction: the kept one, or one of the pool's. */
  public void take(DnId dn, String schema, BranchTaker taker) {
    HeldBranch mine = branches.get(dn);
    if (mine == null) {
      source.take(dn, schema, taker);
    } else if (mine.alive()) {
      taker.taken(mine);
    } else {
      taker.refused(
          new AlraiException(
              ErrorCode.ALRAI_NODE_UNAVAILABLE,
              "the connection to " + dn + " broke and its table locks are gone: UNLOCK TABLES"));
    }
  }

  /**
   * Commits what the session wrote while it had tables locked. XA is not allowed then: each DN
   * commits by itself.
   *
   * @param source of the branches
   * @return fails with ALRAI_COMMIT_IN_DOUBT when some DNs may have committed and others not
   */
  public static CompletableFuture<Void> commit(
      List<TransactionBranch> writers, @Nullable TransactionId id, BranchSource source) {
    List<CompletableFuture<Void>> all = new ArrayList<>();
    writers.forEach(writer -> all.add(BranchEnding.onePhase(writer, id, source)));
    CompletableFuture<Void> together =
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    if (writers.size() < 2) {
      return together;
    }
    return together.exceptionallyCompose(error ->
        CompletableFuture.failedFuture(
            new AlraiException(
                ErrorCode.ALRAI_COMMIT_IN_DOUBT,
                "a COMMIT under LOCK TABLES failed on a DN after others may have committed",
                error)));
  }

  /** UNLOCK TABLES; no transaction may be open. Never fails: a broken branch has no locks. */
  public CompletableFuture<Void> unlock() {
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (HeldBranch mine : branches.values()) {
      Branch branch = mine.held();
      all.add(
          BranchControl.run(branch, Sql.of("UNLOCK TABLES"))
              .handle((ok, error) -> {
                if (error == null) {
                  branch.release();
                } else {
                  branch.close();
                }
                return null;
              }));
    }
    forget();
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
  }

  /** Ends the branches, and with them their locks and what waits for one. */
  public void drop() {
    branches.values().forEach(HeldBranch::close);
    forget();
  }

  /** The session has ended. */
  public void abandon() {
    abandoned = true;
    drop();
  }

  private void forget() {
    branches.forEach((dn, mine) -> source.rows(dn).resume(mine.held()));
    branches.clear();
    held = false;
    tables = LockedTables.NONE;
  }
}
