package io.alrai.cn.tx;

import io.alrai.cn.session.SessionSettings;
import io.alrai.cn.tx.SnapshotOpening.Opened;
import io.alrai.cn.tx.SnapshotOpening.Request;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
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
import org.jspecify.annotations.Nullable;

/**
 * The snapshot that the consistent reads of a session's transaction see on every DN. Chosen by the
 * first of them. Event loop only.
 */
final class TransactionSnapshot {
  static final String REPEATABLE_READ = "REPEATABLE READ";

  private enum Mode {
    UNDECIDED,
    ONE_SNAPSHOT,
    NONE
  }

  private final BranchSource source;
  private final SessionReads reads;
  private Mode mode = Mode.UNDECIDED;

  /** Takes the branch of a view that came late. */
  private final Consumer<Branch> joined;

  /** By DN, the views that were not waited for: complete when they came, or left nothing. */
  private final Map<DnId, CompletableFuture<Void>> late = new HashMap<>();

  /** By DN, whoever waits for such a view last: they go on in their order. */
  private final Map<DnId, CompletableFuture<Void>> turns = new HashMap<>();

  private final Set<SnapshotOpening> openings = new HashSet<>();
  private long ends;
  private @Nullable HlcTimestamp at;
  private long statement;
  private long firstRead;
  private boolean spread;
  private boolean wroteWidely;

  /** As the predictor's scores, of this session's transactions. */
  private int score;

  TransactionSnapshot(BranchSource source, SessionReads reads, Consumer<Branch> joined) {
    this.source = source;
    this.reads = reads;
    this.joined = joined;
  }

  /** Notes the template of the statement that is about to run. */
  void statement(long template) {
    statement = template;
  }

  /**
   * Whether the transaction's consistent reads see one snapshot; does not change any more once
   * asked.
   */
  boolean wanted(TransactionOptions options, SessionSettings settings) {
    if (mode == Mode.UNDECIDED) {
      boolean repeatable = isolation(options, settings).equalsIgnoreCase(REPEATABLE_READ);
      mode = repeatable && !reads.eventual() ? Mode.ONE_SNAPSHOT : Mode.NONE;
    }
    return mode == Mode.ONE_SNAPSHOT;
  }

  /** Whether each statement of a transaction reads what is committed by then. */
  static boolean perStatement(TransactionOptions options, SessionSettings settings) {
    return isolation(options, settings).equalsIgnoreCase("READ COMMITTED");
  }

  /** Whether consistent reads lock rows. */
  static boolean readsLock(TransactionOptions options, SessionSettings settings) {
    return isolation(options, settings).equalsIgnoreCase("SERIALIZABLE");
  }

  /** The isolation of a transaction, as in {@code READ COMMITTED}. */
  static String isolation(TransactionOptions options, SessionSettings settings) {
    if (!options.isolation().isEmpty()) {
      return options.isolation();
    }
    String literal = settings.literal("transaction_isolation");
    return literal.isEmpty() ? REPEATABLE_READ : literal.replace("'", "").replace('-', ' ');
  }

  /** Whether it is chosen. */
  boolean chosen() {
    return at != null;
  }

  /** It, once it is chosen. */
  Optional<HlcTimestamp> at() {
    return Optional.ofNullable(at);
  }

  /** Whether a transaction that begins to read like this one needs no views on further DNs. */
  boolean probablyStays() {
    return source.predictor().stays(statement);
  }

  /**
   * Whether such a transaction will probably write on one DN at most, as far as its kind and its
   * session tell.
   */
  boolean probablyWritesOnOneDn() {
    return score >= SpreadPredictor.TRUSTED && source.predictor().writesStay(statement);
  }

  /** It reads on a DN where its first read did not. */
  void spreads() {
    spread = true;
  }

  /**
   * Opens views at the snapshot, or chooses it. The future fails with ER_LOCK_DEADLOCK when a DN
   * has moved past it.
   */
  CompletableFuture<Opened> open(SessionSettings settings, List<Request> requests) {
    HlcTimestamp chosen = at;
    return run(settings, requests)
        .handle((views, error) -> {
          if (error != null) {
            throw new CompletionException(chosen == null ? error : explained(error));
          }
          if (chosen == null) {
            at = views.at();
            firstRead = statement;
            reads.saw(views.at().value());
          } else {
            spread = true;
          }
          return views;
        });
  }

  private CompletableFuture<Opened> run(SessionSettings settings, List<Request> requests) {
    SnapshotOpening next = new SnapshotOpening(source, reads, settings, source.loop(), taken -> {});
    openings.add(next);
    HlcTimestamp chosen = at;
    long era = ends;
    CompletableFuture<Opened> opened =
        chosen == null ? next.open(requests) : next.openAt(chosen, requests);
    return opened.whenComplete((views, error) -> {
      openings.remove(next);
      follow(next.late(), era);
    });
  }

  /**
   * Opens a view in the place of one that is given up, for writes. Who goes to the DN waits for it;
   * ER_LOCK_DEADLOCK when the DN has moved past the snapshot.
   *
   * @param joins takes the branch
   */
  void promote(SessionSettings settings, Request request, Consumer<Branch> joins) {
    wroteWidely = true;
    late.put(
        request.dn(),
        run(settings, List.of(request))
            .handle((views, error) -> {
              if (error != null) {
                throw new CompletionException(
                    gone(error, "the transaction wrote on several DNs, as those like it had not"));
              }
              views.branches().values().forEach(joins);
              return null;
            }));
  }

  /** The views that are not waited for join the transaction when they come, if it is still open. */
  private void follow(List<SnapshotOpening.Late> views, long era) {
    for (SnapshotOpening.Late next : views) {
      CompletableFuture<Void> settled =
          next.view()
              .thenAccept(view ->
                  view.ifPresent(branch -> {
                    if (era == ends) {
                      joined.accept(branch);
                    } else {
                      SnapshotOpening.finish(branch, next.undo());
                    }
                  }));
      if (era == ends) {
        late.put(next.dn(), settled);
      }
    }
  }

  /** Whether a view that was not waited for may still come to the DN. */
  boolean awaits(DnId dn) {
    CompletableFuture<Void> view = late.get(dn);
    return view != null && !view.isDone();
  }

  /**
   * Goes on when none comes to the DN any more, behind those who wait already; the taker is refused
   * when that is too late.
   */
  void settle(DnId dn, BranchTaker taker, Runnable next) {
    long era = ends;
    CompletableFuture<Void> done = CompletableFuture.completedFuture(null);
    turns.put(
        dn,
        CompletableFuture.allOf(turns.getOrDefault(dn, done), late.getOrDefault(dn, done))
            .thenRun(() -> {
              if (era != ends) {
                throw BranchEnding.broken(dn);
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
  CompletableFuture<Void> settled(Collection<DnId> dns) {
    long era = ends;
    return CompletableFuture.allOf(
            dns.stream().map(late::get).filter(Objects::nonNull).toArray(CompletableFuture[]::new))
        .thenRun(() -> {
          if (era != ends) {
            throw BranchEnding.broken(dns.iterator().next());
          }
        });
  }

  /** Also lets the next transaction of the kind do better. */
  private AlraiException explained(Throwable error) {
    spread = true;
    return gone(
        error, "the transaction went to a DN on which transactions like it had not read before");
  }

  private static AlraiException gone(Throwable error, String why) {
    AlraiException known = AlraiException.causeOf(error);
    return known.errno() == ErrorCode.ALRAI_SNAPSHOT_TOO_OLD.errno()
        ? new AlraiException(
            ErrorCode.ER_LOCK_DEADLOCK,
            why + ", and its snapshot is gone there; try restarting transaction",
            known)
        : known;
  }

  /**
   * The transaction is over.
   *
   * @param severalWriters whether it wrote on several DNs
   */
  void end(boolean committed, boolean severalWriters) {
    boolean widely = wroteWidely || severalWriters;
    if (at != null && (committed || spread)) {
      source.predictor().learn(firstRead, !spread);
    }
    if (at != null && (committed || widely)) {
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
    spread = false;
    wroteWidely = false;
  }
}
