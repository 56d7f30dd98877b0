package io.alrai.cn.tx;

import io.alrai.cn.branch.BranchControl;
import io.alrai.cn.branch.BranchPreparation;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.snapshot.SessionReads;
import io.alrai.cn.snapshot.SnapshotOpening.Request;
import io.alrai.cn.snapshot.TransactionOptions;
import io.alrai.cn.snapshot.TransactionSnapshot;
import io.alrai.cn.snapshot.TransactionSource;
import io.alrai.cn.snapshot.ViewRequests;
import io.alrai.cn.tx.branch.BranchEnding;
import io.alrai.cn.tx.branch.Savepoints;
import io.alrai.cn.tx.branch.TransactionBranch;
import io.alrai.common.id.DnId;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.KeptReplies;
import io.alrai.dn.link.XaName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * On which DNs a session's transaction opens views, and whether with plain transactions or with XA
 * branches. Event loop only.
 */
public final class TransactionViews {
  private final SessionTransaction owner;
  private final TransactionSource source;
  private final TransactionBranches branches;
  private final Savepoints savepoints;
  private final TransactionSnapshot snapshot;
  private final TransactionReplicas replicas;
  private TransactionOptions options = TransactionOptions.PLAIN;
  private boolean forStatement;
  private long ends;

  /**
   * Views are plain transactions, because the transaction will probably write on one DN at most.
   */
  private boolean plain;

  /**
   * The views of a session that has no transaction yet.
   *
   * @param owner whose branches these are
   */
  TransactionViews(
      SessionTransaction owner,
      TransactionSource source,
      SessionReads reads,
      TransactionBranches branches,
      Savepoints savepoints) {
    this.owner = owner;
    this.source = source;
    this.branches = branches;
    this.savepoints = savepoints;
    this.snapshot =
        new TransactionSnapshot(source, reads, late -> viewed(late, false, viewsPlain(late.dn())));
    this.replicas = new TransactionReplicas(owner, source, reads, snapshot);
  }

  /** Those at members that follow, which are not among the transaction's branches. */
  public TransactionReplicas replicas() {
    return replicas;
  }

  /** What they show. */
  TransactionSnapshot snapshot() {
    return snapshot;
  }

  /** Keeps the snapshot as it is, because a read at it cannot be repeated. */
  public void keepSnapshot() {
    snapshot.stays();
  }

  /**
   * Whether commands of consistent reads are kept, to be sent again on their connections: they must
   * not depend on earlier ones.
   */
  public boolean keepsReads() {
    return snapshot.keepsReads();
  }

  /** A transaction begins. */
  void begin(TransactionOptions how) {
    options = how;
  }

  /** The transaction keeps the isolation that it began with. */
  void keepIsolation(TransactionOptions how) {
    options = how;
  }

  /** The transaction ends with the statement at work. */
  void forStatement() {
    forStatement = true;
  }

  /** The transaction has ended. */
  void end(boolean committed, boolean severalWriters) {
    snapshot.end(committed, severalWriters);
    replicas.end();
    options = TransactionOptions.PLAIN;
    forStatement = false;
    plain = false;
    ends++;
  }

  /** Whether a consistent read on these DNs is done at a snapshot. */
  boolean wanted(Collection<DnId> dns, SessionSettings settings) {
    boolean alone = forStatement && dns.size() < 2;
    return !alone && snapshot.wanted(options, settings);
  }

  /**
   * Whether a consistent read is one on a single DN by a statement of its own, for which no view is
   * opened: what this CN has acknowledged must be visible there before.
   *
   * @param branch on that DN, if it has been touched
   */
  boolean readsAlone(@Nullable TransactionBranch branch) {
    return forStatement && (branch == null || !branch.viewed()) && !snapshot.eventual();
  }

  /** As {@link SessionTransaction#read}, where they are wanted. */
  CompletableFuture<Void> open(Collection<DnId> dns, SessionSettings settings) {
    return replicas.serves()
        ? replicas
            .open(settings)
            .thenCompose(done -> openAtLeaders(replicas.without(dns), settings))
        : openAtLeaders(dns, settings);
  }

  private CompletableFuture<Void> openAtLeaders(Collection<DnId> dns, SessionSettings settings) {
    if (dns.stream().anyMatch(snapshot::awaits)) {
      return snapshot.settled(dns).thenCompose(done -> openAtLeaders(dns, settings));
    }
    List<DnId> missing = dns.stream().filter(dn -> !branches.isViewed(dn)).toList();
    if (missing.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    if (branches.primary() != null) {
      return open(missing, dns, settings, Optional.empty());
    }
    // it names the transaction, so it is there before the others
    long era = ends;
    return ViewRequests.take(source, missing.getFirst())
        .thenCompose(branch -> {
          if (era != ends) {
            branch.release();
            return CompletableFuture.failedFuture(BranchControl.broken(branch.dn()));
          }
          BranchPreparation.queue(branch, settings, "");
          return open(missing, dns, settings, Optional.of(branch));
        });
  }

  /**
   * Opens views.
   *
   * @param missing where the statement needs them, of all {@code dns} where it reads
   * @param decider the first branch of the transaction, just taken, if this is about it
   */
  private CompletableFuture<Void> open(
      List<DnId> missing,
      Collection<DnId> dns,
      SessionSettings settings,
      Optional<Branch> decider) {
    boolean first = !snapshot.chosen();
    decider.ifPresent(branch -> {
      branches.primary(branch.dn());
      plain = !forStatement && !branches.allXa() && snapshot.probablyWritesOnOneDn();
    });
    List<DnId> others = List.of();
    if (first && !forStatement && !snapshot.probablyStays()) {
      others = source.dataNodes().stream().filter(dn -> !dns.contains(dn)).toList();
    }
    if (decider.isPresent()
        && !options.readOnly()
        && !plain
        && (missing.size() + others.size() > 1 || branches.allXa())) {
      branches.name(decider.get(), owner);
    }
    List<Request> requests = new ArrayList<>();
    missing.forEach(dn -> requests.add(request(dn, decider, true)));
    others.forEach(dn -> requests.add(request(dn, decider, false)));
    CompletableFuture<Void> opening =
        first
            ? snapshot
                .choose(settings, requests, !forStatement && !options.consistentSnapshot())
                .thenAccept(opened ->
                    opened
                        .branches()
                        .forEach((dn, branch) -> viewed(branch, dns.contains(dn), viewsPlain(dn))))
            : snapshot.extend(
                settings,
                requests,
                this::again,
                branches::clear,
                branch -> viewed(branch, false, viewsPlain(branch.dn())));
    return opening.whenComplete((opened, error) -> {
      if (error != null && decider.isPresent()) {
        branches.forgetName();
        plain = false;
      }
    });
  }

  /**
   * The place of the log up to which a consistent read sees it that is done now, on the view of a
   * DN or beside it.
   *
   * @return {@link KeptReplies#NOWHERE} where only the branch can tell what it sees
   */
  public long shown(DnId dn) {
    TransactionBranch known = branches.get(dn);
    if (known == null
        || owner.held().tableLocks().held()
        || !known.viewed()
        || known.wrote()
        || !known.branch().alive()
        || snapshot.awaits(dn)
        || snapshot.keepsReads()) {
      return KeptReplies.NOWHERE;
    }
    if (!known.readFirst()) {
      snapshot.spreads();
    }
    return known.branch().state().shown();
  }

  /** In which term the leader leads whose log has the place that is {@link #shown}. */
  public long term(DnId dn) {
    TransactionBranch known = branches.get(dn);
    return known == null ? 0 : known.branch().state().term();
  }

  private void viewed(Branch branch, boolean byFirstRead, boolean plainly) {
    TransactionBranch known = branches.get(branch.dn());
    if (known == null) {
      known = new TransactionBranch(branch, plainly);
      branches.add(known);
      savepoints.queue(branch);
    }
    known.markViewed(byFirstRead);
  }

  /** Whether a branch that is written on is a plain transaction. */
  boolean writesPlain(DnId dn) {
    return options.readOnly() || !branches.allXa() && dn.equals(branches.primary());
  }

  private boolean viewsPlain(DnId dn) {
    return plain || writesPlain(dn);
  }

  /** How a view is opened: with its branch, or on one that has begun without it. */
  private Request request(DnId dn, Optional<Branch> decider, boolean needed) {
    TransactionBranch known = branches.get(dn);
    if (known != null) {
      return ViewRequests.onBegun(known.branch());
    }
    return viewsPlain(dn)
        ? ViewRequests.plain(dn, decider, options, needed)
        : ViewRequests.xa(dn, decider, xaName(dn), options, needed);
  }

  /** How new views are opened in place of all there are; empty where that is not possible. */
  private Optional<List<Request>> again() {
    boolean impossible =
        branches.all().stream().anyMatch(known -> known.claims() || !known.branch().alive());
    return impossible
        ? Optional.empty()
        : Optional.of(
            branches.all().stream()
                .map(known -> {
                  Branch branch = known.branch();
                  Request fresh =
                      known.plain()
                          ? ViewRequests.plain(branch.dn(), Optional.of(branch), options, true)
                          : ViewRequests.xa(
                              branch.dn(), Optional.empty(), xaName(branch.dn()), options, true);
                  return savepoints.reopening(branch, fresh);
                })
                .toList());
  }

  private String xaName(DnId dn) {
    return XaName.name(branches.named(owner), dn).text();
  }

  /** Whether a branch that begins is a plain transaction; makes it the primary if there is none. */
  boolean beginsPlain(DnId dn, boolean write) {
    if (branches.primary() == null || plain && write && branches.primaryMayMove()) {
      branches.primary(dn);
    }
    return writesPlain(dn) || plain && !write;
  }

  /** Whether writes on a branch can be committed with the transaction's others. */
  boolean mayWrite(TransactionBranch known) {
    DnId dn = known.branch().dn();
    if (plain && known.plain() && branches.primaryMayMove()) {
      branches.primary(dn);
    }
    return !plain || !known.plain() || writesPlain(dn);
  }

  /**
   * A plain transaction cannot be prepared: its view is replaced by an XA branch with a view at the
   * same snapshot, because the transaction has written elsewhere.
   *
   * @param next continues with that branch; the taker is refused instead with ER_LOCK_DEADLOCK
   *     where the DN has moved past the snapshot
   */
  void promote(TransactionBranch view, SessionSettings settings, BranchTaker taker, Runnable next) {
    DnId dn = view.branch().dn();
    Request request = ViewRequests.xa(dn, Optional.empty(), xaName(dn), options, true);
    branches.remove(dn);
    BranchEnding.withoutWrites(view, null);
    snapshot.promote(settings, request, branch -> viewed(branch, false, false));
    snapshot.settle(dn, taker, next);
  }
}
