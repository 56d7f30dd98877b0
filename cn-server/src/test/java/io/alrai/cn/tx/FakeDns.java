package io.alrai.cn.tx;

import io.alrai.cn.lock.Admission;
import io.alrai.cn.snapshot.HybridTimestamps;
import io.alrai.cn.snapshot.SnapshotClock;
import io.alrai.cn.snapshot.SpreadPredictor;
import io.alrai.cn.snapshot.TimestampSource;
import io.alrai.cn.snapshot.TransactionCounts;
import io.alrai.cn.snapshot.TransactionSource;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.time.HybridLogicalClock;
import io.alrai.common.wire.ReplyKind;
import io.alrai.common.wire.ServerStatus;
import io.alrai.dn.backend.FakeBranch;
import io.alrai.dn.backend.FakeReply;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.DnLink;
import io.alrai.dn.link.ViewOpener;
import io.alrai.gms.api.Catalog;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * DNs without mysqlds, whose gates do as the test says. Their branches give known rows or say OK;
 * they take several statements only in a text that was sent as one of several, as a mysqld does.
 */
public final class FakeDns implements TransactionSource, FakeBranch.Mysqld {
  private static final Pattern STATEMENT =
      Pattern.compile("(?:[^;'\"`]|'(?:[^'\\\\]|\\\\.)*'|\"[^\"]*\"|`[^`]*`)++");

  private final TransactionCounts counts = TransactionCounts.of(new Metrics());

  /** What was asked of a DN's gate. */
  public record Asked(DnId dn, HlcTimestamp at, String opening) {}

  public final long wall = 1_000_000;
  private final EventLoop loop;

  /** Statements that begin so fail. */
  public String failing = "none does";

  private final TimestampSource hybrid =
      new HybridTimestamps(NodeClock.inMemory(new HybridLogicalClock(() -> wall, 500)), () -> wall);
  private final SnapshotClock snapshots =
      new SnapshotClock(
          new TimestampSource() {
            @Override
            public CompletableFuture<HlcTimestamp> snapshot(int aheadMillis) {
              CompletableFuture<HlcTimestamp> late = lateTimestamps.poll();
              return late == null ? hybrid.snapshot(aheadMillis) : late;
            }

            @Override
            public CompletableFuture<HlcTimestamp> commit(HlcTimestamp prepared) {
              return hybrid.commit(prepared);
            }

            @Override
            public void follow(HlcTimestamp seen) {
              hybrid.follow(seen);
            }
          });

  /** Snapshots that are on their way, to be completed by the test; after the last, none is. */
  public final Queue<CompletableFuture<HlcTimestamp>> lateTimestamps = new ArrayDeque<>();

  /** Locks of no catalog. */
  private final Admission admission =
      new Admission(
          () -> Catalog.EMPTY,
          new Admission.Standing() {
            @Override
            public boolean leased() {
              return true;
            }

            @Override
            public boolean behind() {
              return false;
            }
          });

  public final List<DnId> dataNodes = new ArrayList<>();
  public final SpreadPredictor predictor = new SpreadPredictor();
  public final List<FakeBranch> branches = new ArrayList<>();
  public final List<Asked> asked = new ArrayList<>();

  /** What statements give on every DN: one number for each row; the others say OK. */
  final Map<String, List<Integer>> rows = new HashMap<>();

  /** What one statement is answered with, where the test says so. */
  public Function<String, Optional<FakeReply>> replies = statement -> Optional.empty();

  /** What branches say of the reads on them, one after the other; false after the last. */
  public final Queue<Boolean> disturbances = new ArrayDeque<>();

  /** How often each DN will still refuse. */
  public final Map<DnId, Integer> refusals = new HashMap<>();

  /** DNs whose connections come in a transaction that nobody needs. */
  public final Set<DnId> viewed = new HashSet<>();

  /** Is given each branch before it is lent. */
  public Consumer<FakeBranch> newBranch = branch -> {};

  /** DNs that are down. */
  public final Set<DnId> down = new HashSet<>();

  /** DNs that do not answer; what they were asked, to be answered by the test. */
  public final Map<DnId, CompletableFuture<ViewOpener.Opening>> silent = new HashMap<>();

  /** DNs whose gates let something follow a view that they open. */
  public final Set<DnId> following = new HashSet<>();

  /** DNs whose new branches answer nothing until the test says so. */
  public final Set<DnId> mute = new HashSet<>();

  /** Whether the end of a connection is known later only. */
  public boolean losesLater;

  /** While true connections are to come later, by {@link #giveLate}. */
  public boolean full;

  private final Queue<Runnable> late = new ArrayDeque<>();

  /** DNs of a session on this loop. */
  public FakeDns(EventLoop loop) {
    this.loop = loop;
  }

  @Override
  public void take(DnId dn, String schema, BranchTaker taker) {
    if (full) {
      late.add(() -> take(dn, schema, taker));
      return;
    }
    if (down.contains(dn)) {
      taker.refused(new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, dn + " is down"));
      return;
    }
    FakeBranch branch = branch(dn, loop);
    branch.viewed = viewed.contains(dn);
    branch.failing = failing;
    branch.silent = mute.contains(dn);
    newBranch.accept(branch);
    branches.add(branch);
    taker.taken(branch);
  }

  /** A branch that is not lent. */
  public FakeBranch branch(DnId dn, EventLoop on) {
    FakeBranch branch = new FakeBranch(dn, on, this);
    branch.disturbances = disturbances;
    branch.losesLater = losesLater;
    return branch;
  }

  @Override
  public FakeReply reply(FakeBranch branch, FakeBranch.Sent sent) {
    Optional<FakeReply> given = replies.apply(sent.text());
    if (given.isPresent()) {
      return given.get();
    }
    List<String> all = STATEMENT.matcher(sent.text()).results().map(MatchResult::group).toList();
    if (all.size() > 1 && sent.kind() != ReplyKind.SEVERAL) {
      return FakeReply.error(ErrorCode.ER_PARSE_ERROR, sent.text());
    }
    FakeReply reply = FakeReply.empty();
    for (int i = 0; i < Math.max(1, all.size()); i++) {
      boolean more = i + 1 < all.size();
      int status =
          (branch.lost ? 0 : ServerStatus.IN_TRANS) | (more ? ServerStatus.MORE_RESULTS_EXISTS : 0);
      List<Integer> numbers = all.isEmpty() ? null : rows.get(all.get(i));
      if (numbers == null) {
        reply.ok(0, status);
      } else {
        reply.columns("", 1);
        numbers.forEach(number -> reply.row(number.toString()));
        reply.end(0, status);
      }
    }
    return reply;
  }

  @Override
  public void takeForTemporaryTables(BranchTaker taker) {
    take(dataNodes.getFirst(), "", taker);
  }

  @Override
  public void takeForNamedLocks(BranchTaker taker) {
    take(dataNodes.getFirst(), "", taker);
  }

  @Override
  public void take(DnId dn, BackendAccount account, String schema, BranchTaker taker) {
    take(dn, schema, taker);
  }

  /** There is room again. */
  public void giveLate() {
    full = false;
    List<Runnable> waiting = List.copyOf(late);
    late.clear();
    waiting.forEach(Runnable::run);
  }

  public FakeBranch branch(DnId dn) {
    return branches.stream().filter(branch -> branch.dn().equals(dn)).findFirst().orElseThrow();
  }

  @Override
  public Admission admission() {
    return admission;
  }

  @Override
  public EventLoop loop() {
    return loop;
  }

  @Override
  public List<DnId> dataNodes() {
    return dataNodes;
  }

  @Override
  public SpreadPredictor predictor() {
    return predictor;
  }

  @Override
  public TransactionCounts counts() {
    return counts;
  }

  @Override
  public SnapshotClock snapshots() {
    return snapshots;
  }

  @Override
  public DnLink link(DnId dn) {
    throw new UnsupportedOperationException("only views here");
  }

  @Override
  public ViewOpener views(DnId dn) {
    return new ViewOpener() {
      @Override
      public CompletableFuture<Opening> open(
          Branch branch,
          HlcTimestamp at,
          String opening,
          String undo,
          boolean again,
          Runnable follower) {
        CompletableFuture<Opening> opened = open(branch, at, opening, undo, again);
        boolean mayFollow = following.contains(dn) && refusals.getOrDefault(dn, 0) < 0;
        if (mayFollow) {
          follower.run();
        }
        return opened;
      }

      @Override
      public CompletableFuture<Opening> open(
          Branch branch, HlcTimestamp at, String opening, String undo, boolean again) {
        asked.add(new Asked(dn, at, again ? undo + ";" + opening : opening));
        CompletableFuture<Opening> later = silent.get(dn);
        if (later != null) {
          return later;
        }
        int refuse = refusals.getOrDefault(dn, 0);
        refusals.put(dn, refuse - 1);
        return CompletableFuture.completedFuture(
            refuse > 0
                ? new Opening.Refused(new HlcTimestamp(at.value() + 10))
                : new Opening.Open());
      }

      @Override
      public long visibleStamp() {
        return 0;
      }
    };
  }
}
