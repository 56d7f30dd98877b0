package io.alrai.cn.snapshot;

import io.alrai.cn.branch.BranchControl;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.snapshot.SnapshotOpening.Opened;
import io.alrai.cn.snapshot.SnapshotOpening.Request;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The snapshot that the consistent reads of a session's transaction see on every DN. Chosen by the
 * first of them. Event loop only.
 */
public final class TransactionSnapshot {
  static final String REPEATABLE_READ = "REPEATABLE READ";

  private enum Mode {
    UNDECIDED,
    ONE_SNAPSHOT,
    NONE
  }

  private final TransactionSource source;
  private final SessionReads reads;
  private Mode mode = Mode.UNDECIDED;

  /** Takes the branch of a view that came late. */
  private final Consumer<Branch> joined;

  /** By DN, the views that were not waited for: complete when they came, or left nothing. */
  private final Map<DnId, CompletableFuture<Void>> late = new HashMap<>();

  /** By DN, the last request that waits for such a view: they continue in order. */
  private final Map<DnId, CompletableFuture<Void>> turns = new HashMap<>();

  private final Set<SnapshotOpening> openings = new HashSet<>();
  private long ends;

  /** How often a transaction moved to a later snapshot. */
  private long moves;

  /** Complete unless a move is under way. */
  private CompletableFuture<Void> moving = CompletableFuture.completedFuture(null);

  private @Nullable HlcTimestamp at;

  /** Kept while there are DNs without a view, and the snapshot may become a later one. */
  private @Nullable ReadLog log;

  private boolean mayMove = true;
  private long statement;
  private long firstRead;
  private boolean spread;
  private boolean wroteWidely;

  /** Why views are opened late where others have chosen the snapshot. */
  private Optional<String> adopted = Optional.empty();

  /** A score as those of the predictor, but of this session's transactions. */
  private int score;

  public TransactionSnapshot(
      TransactionSource source, SessionReads reads, Consumer<Branch> joined) {
    this.source = source;
    this.reads = reads;
    this.joined = joined;
  }

  /** Records the template of the statement that is about to run. */
  public void statement(long template) {
    statement = template;
  }

  /**
   * Whether the transaction's consistent reads see one snapshot; does not change any more once
   * asked.
   */
  public boolean wanted(TransactionOptions options, SessionSettings settings) {
    if (mode == Mode.UNDECIDED) {
      boolean repeatable = isolation(options, settings).equalsIgnoreCase(REPEATABLE_READ);
      mode = repeatable && !reads.eventual() ? Mode.ONE_SNAPSHOT : Mode.NONE;
    }
    return mode == Mode.ONE_SNAPSHOT;
  }

  /** Whether the session's reads may be old. */
  public boolean eventual() {
    return reads.eventual();
  }

  /** Whether each statement of a transaction reads what is committed by then. */
  public static boolean perStatement(TransactionOptions options, SessionSettings settings) {
    return isolation(options, settings).equalsIgnoreCase("READ COMMITTED");
  }

  /** Whether consistent reads lock rows. */
  public static boolean readsLock(TransactionOptions options, SessionSettings settings) {
    return isolation(options, settings).equalsIgnoreCase("SERIALIZABLE");
  }

  /** Whether the queries of statements that write lock rows. */
  public static boolean writesLockReads(TransactionOptions options, SessionSettings settings) {
    return readsLock(options, settings)
        || isolation(options, settings).equalsIgnoreCase(REPEATABLE_READ);
  }

  /** The isolation of a transaction, as in {@code READ COMMITTED}. */
  public static String isolation(TransactionOptions options, SessionSettings settings) {
    if (!options.isolation().isEmpty()) {
      return options.isolation();
    }
    String literal = settings.literal("transaction_isolation");
    return literal.isEmpty() ? REPEATABLE_READ : literal.replace("'", "").replace('-', ' ');
  }

  /**
   * Others have chosen the snapshot, and opened views that are not known here.
   *
   * @param whyLate why views are opened at it from now on
   */
  public void adopt(HlcTimestamp chosen, String whyLate) {
    at = chosen;
    adopted = Optional.of(whyLate);
  }

  /** Whether the snapshot is chosen. */
  public boolean chosen() {
    return at != null;
  }

  /** The snapshot, once it is chosen. */
  public Optional<HlcTimestamp> at() {
    return Optional.ofNullable(at);
  }

  /** Whether a transaction that begins to read like this one needs no views on further DNs. */
  public boolean probablyStays() {
    return source.predictor().stays(statement);
  }

  /**
   * Whether such a transaction will probably write on one DN at most, as far as its kind and its
   * session tell.
   */
  public boolean probablyWritesOnOneDn() {
    return score >= SpreadPredictor.TRUSTED && source.predictor().writesStay(statement);
  }

  /** The transaction reads on a DN where its first read did not. */
  public void spreads() {
    spread = true;
  }

  /** The branch for a consistent read, which may have to be done again at a later snapshot. */
  public Branch forRead(Branch branch, SessionSettings settings, String schema) {
    ReadLog known = log;
    return known == null ? branch : known.noting(branch, settings, schema);
  }

  /** Whether commands of consistent reads are kept, to be sent again on their connections. */
  public boolean keepsReads() {
    return log != null;
  }

  /** The snapshot does not move any more. */
  public void stays() {
    mayMove = false;
    log = null;
  }

  /**
   * The first consistent read: opens views, and so chooses the snapshot.
   *
   * @param movable whether it may become a later one
   */
  public CompletableFuture<Opened> choose(
      SessionSettings settings, List<Request> requests, boolean movable) {
    return run(settings, requests, Optional.empty())
        .whenComplete((views, error) -> {
          if (error == null) {
            at = views.at();
            firstRead = statement;
            reads.saw(views.at().value());
            boolean whole = views.branches().keySet().containsAll(source.dataNodes());
            log = movable && mayMove && !whole ? new ReadLog() : null;
          }
        });
  }

  /**
   * Opens further views at the snapshot. Where a DN has moved past it, the transaction moves as
   * well: all branches get views at a later one, if the reads so far give the same there. The
   * future fails with ER_LOCK_DEADLOCK where that is not possible, or they do not.
   *
   * @param again gives how views are opened in place of all there are; empty where that cannot be
   * @param lost called when the branches with these views are gone
   * @param joins takes each branch that has a view from now on
   */
  public CompletableFuture<Void> extend(
      SessionSettings settings,
      List<Request> requests,
      Supplier<Optional<List<Request>>> again,
      Runnable lost,
      Consumer<Branch> joins) {
    // also teaches the next transaction of this kind
    spread = true;
    long era = ends;
    CompletableFuture<Void> over = new CompletableFuture<>();
    return run(settings, requests, at())
        .exceptionallyCompose(error -> {
          ReadLog known = log;
          boolean movable = era == ends && isTooOld(error) && known != null && known.isComplete();
          Optional<List<Request>> all = movable ? again.get() : Optional.empty();
          return known == null || all.isEmpty()
              ? CompletableFuture.failedFuture(error)
              : move(settings, known, all.get(), requests, lost, over);
        })
        .<Void>handle((views, error) -> {
          if (error != null) {
            throw new CompletionException(
                gone(
                    error,
                    adopted.orElse(
                        "the transaction went to a DN on which transactions like it had not read"
                            + " before")));
          }
          views.branches().values().forEach(joins);
          return null;
        })
        .whenComplete((done, error) -> over.complete(null));
  }

  /**
   * Opens all views at a later snapshot, and compares. Until {@code over} nobody gets a branch;
   * views at the former snapshot that are still on their way do not join.
   */
  private CompletableFuture<Opened> move(
      SessionSettings settings,
      ReadLog known,
      List<Request> again,
      List<Request> further,
      Runnable lost,
      CompletableFuture<Void> over) {
    moving = over;
    moves++;
    source.counts().moves().increment();
    long era = ends;
    Set<DnId> old = again.stream().map(Request::dn).collect(Collectors.toSet());
    List<Request> all = new ArrayList<>(again);
    further.stream().filter(request -> !old.contains(request.dn())).forEach(all::add);
    return run(settings, all, Optional.empty())
        .whenComplete((views, error) -> {
          if (error != null && era == ends) {
            lost.run();
          }
        })
        .thenCompose(views ->
            known
                .isSameOn(views.branches())
                .thenApply(same -> {
                  if (same && era == ends) {
                    at = views.at();
                    reads.saw(views.at().value());
                    return views;
                  }
                  views.branches().values().stream()
                      .filter(branch -> !old.contains(branch.dn()))
                      .forEach(Branch::close);
                  throw new CompletionException(
                      new AlraiException(
                          ErrorCode.ALRAI_SNAPSHOT_TOO_OLD,
                          "the reads so far give other rows at a later snapshot"));
                }));
  }

  private CompletableFuture<Opened> run(
      SessionSettings settings, List<Request> requests, Optional<HlcTimestamp> given) {
    List<Request> all =
        settings.repeatsReads()
            ? requests
            : requests.stream().map(ViewRequests::repeatable).toList();
    SnapshotOpening next = new SnapshotOpening(source, reads, settings, source.loop(), taken -> {});
    openings.add(next);
    long era = ends;
    long move = moves;
    CompletableFuture<Opened> opened =
        given.map(chosen -> next.openAt(chosen, all)).orElseGet(() -> next.open(all));
    return opened.whenComplete((views, error) -> {
      openings.remove(next);
      follow(next.late(), era, move);
    });
  }

  /**
   * Opens a view in place of one that is given up, for writes. Statements for the DN wait for it;
   * ER_LOCK_DEADLOCK when the DN has moved past the snapshot.
   *
   * @param joins takes the branch
   */
  public void promote(SessionSettings settings, Request request, Consumer<Branch> joins) {
    wroteWidely = true;
    late.put(
        request.dn(),
        run(settings, List.of(request), at())
            .handle((views, error) -> {
              if (error != null) {
                throw new CompletionException(
                    gone(error, "the transaction wrote on several DNs, as those like it had not"));
              }
              views.branches().values().forEach(joins);
              return null;
            }));
  }

  /** The views that are not waited for join the transaction when they come, if they still fit. */
  private void follow(List<SnapshotOpening.Late> views, long era, long move) {
    for (SnapshotOpening.Late next : views) {
      CompletableFuture<Void> settled =
          next.view()
              .thenCompose(view -> {
                CompletableFuture<Void> done = new CompletableFuture<>();
                if (view.isEmpty()) {
                  done.complete(null);
                } else if (era == ends && move == moves) {
                  joined.accept(view.get());
                  done.complete(null);
                } else {
                  ViewEnding.finish(view.get(), Sql.client(next.undo()), () -> done.complete(null));
                }
                return done;
              });
      if (era == ends) {
        late.put(next.dn(), settled);
      }
    }
  }

  /** Whether a view that was not waited for may still come to the DN, or all are being changed. */
  public boolean awaits(DnId dn) {
    CompletableFuture<Void> view = late.get(dn);
    return !moving.isDone() || view != null && !view.isDone();
  }

  /**
   * Continues when no late view can come to the DN any more, after those who wait already; refuses
   * the taker when the transaction has ended meanwhile.
   */
  public void settle(DnId dn, BranchTaker taker, Runnable next) {
    long era = ends;
    CompletableFuture<Void> done = CompletableFuture.completedFuture(null);
    turns.put(
        dn,
        CompletableFuture.allOf(turns.getOrDefault(dn, done), late.getOrDefault(dn, done), moving)
            .thenRun(() -> {
              if (era != ends) {
                throw BranchControl.broken(dn);
              }
              next.run();
            })
            .exceptionally(error -> {
              taker.refused(AlraiException.causeOf(error));
              return null;
            }));
  }

  /**
   * Completes when none comes to these DNs any more: two branches of one transaction cannot begin
   * on a DN. Fails when the transaction ended meanwhile.
   */
  public CompletableFuture<Void> settled(Collection<DnId> dns) {
    long era = ends;
    CompletableFuture<?>[] known =
        dns.stream().map(late::get).filter(Objects::nonNull).toArray(CompletableFuture[]::new);
    return moving
        .thenCompose(done -> CompletableFuture.allOf(known))
        .thenRun(() -> {
          if (era != ends) {
            throw BranchControl.broken(dns.iterator().next());
          }
        });
  }

  private static boolean isTooOld(Throwable error) {
    return AlraiException.causeOf(error).is(ErrorCode.ALRAI_SNAPSHOT_TOO_OLD);
  }

  private static AlraiException gone(Throwable error, String why) {
    AlraiException known = AlraiException.causeOf(error);
    return isTooOld(known)
        ? new AlraiException(
            ErrorCode.ER_LOCK_DEADLOCK,
            why + ", and its snapshot is gone there; try restarting transaction",
            known)
        : known;
  }

  /**
   * The transaction has ended.
   *
   * @param severalWriters whether it wrote on several DNs
   */
  public void end(boolean committed, boolean severalWriters) {
    boolean widely = wroteWidely || severalWriters;
    boolean own = at != null && adopted.isEmpty();
    if (own && (committed || spread)) {
      source.predictor().learn(firstRead, !spread);
    }
    if (own && (committed || widely)) {
      source.predictor().learnWrites(firstRead, !widely);
      score = SpreadPredictor.next(score, !widely);
    }
    ends++;
    List.copyOf(openings).forEach(SnapshotOpening::abandon);
    openings.clear();
    late.clear();
    turns.clear();
    mode = Mode.UNDECIDED;
    at = null;
    adopted = Optional.empty();
    log = null;
    mayMove = true;
    moving.complete(null);
    spread = false;
    wroteWidely = false;
  }
}
