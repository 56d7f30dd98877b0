package io.alrai.cn.tx;

import io.alrai.cn.branch.BranchControl;
import io.alrai.cn.branch.BranchPreparation;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.snapshot.SessionReads;
import io.alrai.cn.snapshot.SnapshotOpening;
import io.alrai.cn.snapshot.SnapshotOpening.Opened;
import io.alrai.cn.snapshot.TransactionOptions;
import io.alrai.cn.snapshot.TransactionSnapshot;
import io.alrai.cn.snapshot.TransactionSource;
import io.alrai.cn.snapshot.ViewRequests;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The views of a transaction that only reads, at members that follow: of all DNs at one snapshot,
 * opened by its first consistent read. All else that it does, it does at the leaders. Event loop
 * only.
 *
 * <pre>
 * UNDECIDED -> LEADERS
 *           -> WANTED -> OPEN
 *                     -> LEADERS (they cannot be opened, and nothing was read)
 * any       -> UNDECIDED (the transaction has ended)
 * </pre>
 *
 * <p>Where a view is lost, the DN's leader shows the same snapshot from then on, or, if it has
 * moved past it, the transaction ends with ER_LOCK_DEADLOCK.
 */
public final class TransactionReplicas {
  private static final Logger log = LoggerFactory.getLogger(TransactionReplicas.class);

  private static final String WHY_LATE =
      "the transaction lost its connection to a member that follows";

  private enum State {
    UNDECIDED,
    LEADERS,
    WANTED,
    OPEN
  }

  private final SessionTransaction owner;
  private final TransactionSource source;
  private final SessionReads reads;
  private final TransactionSnapshot snapshot;
  private final Map<DnId, Branch> views = new HashMap<>();
  private State state = State.UNDECIDED;
  private long ends;

  /** While views are being opened. */
  private @Nullable SnapshotOpening opening;

  /** Those that wait for them. */
  private CompletableFuture<Void> opened = CompletableFuture.completedFuture(null);

  /** The views of a session that has no transaction yet. */
  TransactionReplicas(
      SessionTransaction owner,
      TransactionSource source,
      SessionReads reads,
      TransactionSnapshot snapshot) {
    this.owner = owner;
    this.source = source;
    this.reads = reads;
    this.snapshot = snapshot;
  }

  /**
   * Chooses for the open transaction, at the first of its statements that can go there.
   *
   * @param percent 0 to 99, each as often as the others
   * @return whether its consistent reads go there
   */
  public boolean choose(int percent, SessionSettings settings) {
    if (state == State.UNDECIDED) {
      TransactionOptions options = owner.options();
      boolean there =
          options.readOnly()
              && percent >= reads.replicas().settings().leaderWeight()
              && reads.consistentReplicas()
              && !owner.clientXa().running()
              && !owner.held().tableLocks().held()
              && snapshot.wanted(options, settings)
              && !snapshot.chosen();
      state = there ? State.WANTED : State.LEADERS;
    }
    return serves();
  }

  /** Whether consistent reads go there. */
  public boolean serves() {
    return state == State.WANTED || state == State.OPEN;
  }

  /**
   * Opens the views of all DNs, where that is not done. Completes also where they cannot be opened:
   * then the leaders serve. Fails with ALRAI_REPLICA_DELAYED where members are too far behind and
   * leaders are not to serve.
   */
  CompletableFuture<Void> open(SessionSettings settings) {
    if (state != State.WANTED || opening != null) {
      return opened;
    }
    SnapshotOpening next =
        new SnapshotOpening(
            source.replicas(reads.replicas().settings()),
            reads,
            settings,
            source.loop(),
            taken -> {});
    opening = next;
    long era = ends;
    opened =
        next.open(source.dataNodes().stream().map(TransactionReplicas::request).toList())
            .handle((all, error) -> {
              if (era == ends) {
                opening = null;
                become(all, error);
              } else if (all != null) {
                all.branches().values().forEach(Branch::releaseViewed);
              }
              return null;
            });
    return opened;
  }

  /** Members that follow see to the isolation themselves. */
  private static SnapshotOpening.Request request(DnId dn) {
    return ViewRequests.plain(dn, Optional.empty(), TransactionOptions.READ_ONLY, true);
  }

  private void become(@Nullable Opened all, @Nullable Throwable error) {
    if (error != null && AlraiException.causeOf(error).is(ErrorCode.ALRAI_REPLICA_DELAYED)) {
      throw AlraiException.causeOf(error); // its next read asks again
    }
    if (all == null) {
      state = State.LEADERS;
      source.counts().replicaFallbacks().increment();
      log.debug("a transaction reads at the leaders", error);
      return;
    }
    state = State.OPEN;
    views.putAll(all.branches());
    reads.saw(all.at().value());
    snapshot.adopt(all.at(), WHY_LATE);
  }

  /** Of these DNs, those whose snapshot the leaders have to show. */
  List<DnId> without(Collection<DnId> dns) {
    return dns.stream().filter(dn -> view(dn) == null).toList();
  }

  private @Nullable Branch view(DnId dn) {
    Branch view = views.get(dn);
    return view != null && view.alive() ? view : null;
  }

  /**
   * Gives the view of a DN, prepared for the settings and schema.
   *
   * @param leader goes on where there is none
   */
  void take(DnId dn, SessionSettings settings, String schema, BranchTaker taker, Runnable leader) {
    long era = ends;
    open(settings)
        .thenRun(() -> {
          Branch view = view(dn);
          if (era != ends) {
            taker.refused(BranchControl.broken(dn));
          } else if (view == null) {
            leader.run();
          } else {
            BranchPreparation.queue(view, settings, schema);
            taker.taken(view);
          }
        })
        .exceptionally(error -> {
          taker.refused(AlraiException.causeOf(error));
          return null;
        });
  }

  /**
   * A statement has failed because a connection broke, or its mysqld ends.
   *
   * @return whether that can have been one of these, which are given up
   */
  public boolean lose(AlraiException error) {
    boolean ending = error.is(ErrorCode.ER_SERVER_SHUTDOWN);
    List<Branch> lost = views.values().stream().filter(view -> ending || !view.alive()).toList();
    views.values().removeAll(lost);
    lost.forEach(Branch::close);
    return !lost.isEmpty();
  }

  /** The transaction has ended. */
  void end() {
    List<Branch> left = new ArrayList<>(views.values());
    forget();
    left.stream().filter(Branch::alive).forEach(Branch::releaseViewed);
  }

  /** The session has ended: the mysqlds notice it. */
  void abandon() {
    views.values().forEach(Branch::close);
    forget();
  }

  private void forget() {
    ends++;
    state = State.UNDECIDED;
    views.clear();
    SnapshotOpening unfinished = opening;
    opening = null;
    if (unfinished != null) {
      unfinished.abandon();
    }
  }
}
