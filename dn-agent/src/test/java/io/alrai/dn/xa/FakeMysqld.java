package io.alrai.dn.xa;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.metrics.Latency;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.wire.ReplyKind;
import io.alrai.common.wire.ServerStatus;
import io.alrai.dn.backend.FakeBranch;
import io.alrai.dn.backend.FakeReply;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.DecisionRow;
import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.binlog.TransactionKind;
import io.alrai.dn.binlog.Xid;
import io.alrai.dn.gate.live.LiveGate;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.ClientPrepared;
import io.alrai.dn.link.CommitParticipant;
import io.alrai.dn.link.DnLink;
import io.alrai.dn.link.Unfit;
import io.alrai.dn.link.ViewOpener;
import io.alrai.dn.link.XaName;
import io.netty.channel.EventLoop;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the commit protocol needs of a mysqld: transactions that write one marker each, XA, the
 * tx_log table with its row locks, crashes. {@code WRITE name} stands for a change of rows.
 */
final class FakeMysqld implements DnLink, FakeBranch.Mysqld, LiveGate.Passed {
  private static final int ATTEMPTS_TOO_EARLY = 2;
  private static final UUID SERVER = new UUID(1, 2);
  private static final Pattern VERB_AND_NAME =
      Pattern.compile("(XA \\w+) (x'[0-9a-f]*',x'[0-9a-f]*',1)");
  private static final Pattern MARK =
      Pattern.compile("SAVEPOINT `alrai:decided (\\S+) (\\d+) (\\S+)`");

  /** Refuses a statement as mysqld does. */
  static final class Refused extends Exception {
    private static final long serialVersionUID = 1L;
    final int errno;

    Refused(int errno, String message) {
      super(message);
      this.errno = errno;
    }
  }

  final DnId dn;
  final EventLoop loop;

  /** Markers whose transactions are committed here. */
  final Set<String> committed = new TreeSet<>();

  /** Prepared branches and their markers. */
  final Map<String, String> prepared = new TreeMap<>();

  /** Whether only the session that prepared a branch can end it, as long as it is there. */
  boolean keepsPrepared = true;

  /** Who keeps prepared branches. */
  private final Map<String, FakeSession> keepers = new TreeMap<>();

  /** How often an xid is still unknown to others after its keeper is closed. */
  private final Map<String, Integer> lingering = new TreeMap<>();

  final FakeTxLog log = new FakeTxLog(this);

  /** What its log has no more, as a GTID set. */
  String purged = "";

  /** All statements in order, for those who look at them. */
  final List<String> statements = new ArrayList<>();

  private final List<FakeSession> open = new ArrayList<>();
  private @Nullable LiveGate streamedTo;
  private long written;
  private boolean down;
  private Predicate<String> crashBefore = sql -> false;
  private @Nullable Runnable first;
  private String firstBefore = "";
  private Predicate<String> crashAfter = sql -> false;
  private Predicate<String> breakDuring = sql -> false;

  /** XA COMMITs that wait for their acknowledgement, though their connections broke. */
  private final Map<String, String> waiting = new TreeMap<>();

  FakeMysqld(String name, EventLoop loop) {
    this.dn = new DnId(name);
    this.loop = loop;
  }

  /** kill -9: open transactions are gone, prepared ones stay. */
  void crash() {
    down = true;
    for (FakeSession branch : List.copyOf(open)) {
      branch.close();
    }
    lingering.clear();
    waiting.forEach((commit, marker) -> prepared.put(named(commit), marker));
    waiting.clear();
    stream().detached();
  }

  void restart() {
    down = false;
    stream().attached(through -> {}, new GtidSet(), end());
  }

  /** From now on, what commits here arrives there. */
  void streamTo(LiveGate gate) {
    streamedTo = gate;
    restart();
  }

  private LiveGate stream() {
    return Objects.requireNonNull(streamedTo);
  }

  private BinlogPosition end() {
    return new BinlogPosition("binlog.000001", 1_000 + 100 * written);
  }

  /** A row of tx_log is committed. */
  void logged(String id, FakeTxLog.Row row) {
    TransactionId transaction = TransactionId.parse(text(id));
    if (row.commitTs() == ClientPrepared.STAMP
        || row.participants().startsWith(DecisionRow.COPIED)) {
      arrived(new TransactionKind.Commit());
      return;
    }
    arrived(
        row.commitTs() == 0
            ? new TransactionKind.Tombstone(transaction)
            : new TransactionKind.Decision(transaction, new HlcTimestamp(row.commitTs())));
  }

  /** A transaction with rows and a mark is committed. */
  void marked(TransactionKind.Decision decision) {
    arrived(decision);
  }

  private void arrived(TransactionKind kind) {
    written++;
    stream()
        .received(
            new BinlogTransaction(
                new Gtid(SERVER, "", written),
                end(),
                100,
                true,
                kind,
                1,
                List.of(),
                Optional.empty()));
  }

  /** Those that are open. */
  Stream<FakeSession> sessions() {
    return open.stream();
  }

  private static Xid xid(String name) {
    String[] parts = name.split(",", -1);
    return new Xid(1, text(parts[0]), text(parts[1]));
  }

  @Override
  public void begin(GtidSet visible, BinlogPosition start) {}

  @Override
  public void passed(BinlogTransaction transaction, HlcTimestamp stamp) {}

  @Override
  public GtidSet visible() {
    return new GtidSet();
  }

  void crashBefore(String prefix) {
    crashBefore = sql -> sql.startsWith(prefix);
  }

  /** Something of somebody else's that comes just before such a statement, once. */
  void before(String prefix, Runnable action) {
    firstBefore = prefix;
    first = action;
  }

  void crashAfter(String prefix) {
    crashAfter = sql -> sql.startsWith(prefix);
  }

  /** The connection breaks during such an XA COMMIT, which goes on, and waits. */
  void breakDuring(String prefix) {
    breakDuring = sql -> sql.startsWith(prefix);
  }

  private static String named(String commit) {
    return commit.substring("XA COMMIT ".length());
  }

  private void wait(FakeSession session, String commit) {
    keepers.remove(named(commit));
    waiting.put(commit, Objects.requireNonNull(prepared.remove(named(commit))));
    session.close();
  }

  /** What waits is acknowledged. */
  void acknowledge() {
    waiting.forEach((commit, marker) -> {
      committed.add(marker);
      arrived(new TransactionKind.XaCommit(xid(named(commit))));
    });
    waiting.clear();
  }

  FakeSession connect() {
    FakeSession branch = new FakeSession(this);
    open.add(branch);
    return branch;
  }

  @Override
  public FakeReply reply(FakeBranch branch, FakeBranch.Sent sent) {
    FakeSession session = (FakeSession) branch;
    FakeReply reply = FakeReply.empty();
    if (sent.kind() == ReplyKind.STATUS) {
      return reply.ok(0, status(session, false));
    }
    boolean several = sent.kind() == ReplyKind.SEVERAL;
    String[] statements = several ? sent.text().split(";", -1) : new String[] {sent.text()};
    for (int i = 0; i < statements.length && !session.closed; i++) {
      boolean more = i + 1 < statements.length;
      try {
        List<List<String>> rows = execute(session, statements[i]);
        int status = status(session, more);
        if (rows.isEmpty()) {
          reply.ok(0, status);
        } else {
          reply.columns("", rows.getFirst().size());
          rows.forEach(row -> reply.row(row.toArray(String[]::new)));
          reply.end(0, status);
        }
      } catch (Refused refused) {
        return reply.fails(refused.errno, "HY000", String.valueOf(refused.getMessage()));
      }
    }
    return reply;
  }

  private static int status(FakeSession session, boolean more) {
    return ServerStatus.AUTOCOMMIT
        | (session.inTransaction ? ServerStatus.IN_TRANS : 0)
        | (more ? ServerStatus.MORE_RESULTS_EXISTS : 0);
  }

  @Override
  public void closed(FakeBranch branch) {
    ((FakeSession) branch).forgetTransaction();
    open.remove(branch);
    keepers.forEach((name, keeper) -> {
      if (keeper == branch) {
        lingering.put(name, ATTEMPTS_TOO_EARLY);
      }
    });
    keepers.values().remove(branch);
  }

  /** Whether a session is refused a prepared branch as it is, or just was, another one's. */
  private boolean isAnothers(FakeSession session, String name) {
    FakeSession keeper = keepers.get(name);
    int tooEarly = lingering.getOrDefault(name, 0);
    if (tooEarly > 0) {
      lingering.put(name, tooEarly - 1);
    }
    return tooEarly > 0 || keeper != null && keeper != session;
  }

  boolean holds(TransactionId id) {
    return prepared.containsKey(XaName.name(id, dn).text());
  }

  /**
   * Runs one statement; rows if it has some.
   *
   * @return null-free rows; empty for none
   */
  List<List<String>> execute(FakeSession session, String text) throws Refused {
    String sql = text.replace("X'", "x'");
    Runnable other = first;
    if (other != null && sql.startsWith(firstBefore)) {
      first = null;
      other.run();
    }
    statements.add(sql);
    if (crashBefore.test(sql)) {
      crashBefore = any -> false;
      crash();
      return List.of();
    }
    if (breakDuring.test(sql)) {
      breakDuring = any -> false;
      wait(session, sql);
      return List.of();
    }
    List<List<String>> rows = run(session, sql);
    if (crashAfter.test(sql)) {
      crashAfter = any -> false;
      crash();
    }
    return rows;
  }

  private List<List<String>> run(FakeSession session, String sql) throws Refused {
    Matcher xa = VERB_AND_NAME.matcher(sql);
    if (xa.matches()) {
      xa(session, xa.group(1), xa.group(2));
      return List.of();
    }
    Matcher mark = MARK.matcher(sql);
    if (mark.matches()) {
      session.mark =
          new TransactionKind.Decision(
              TransactionId.parse(mark.group(1)),
              new HlcTimestamp(Long.parseLong(mark.group(2))),
              Stream.of(mark.group(3).split(",", -1)).map(DnId::new).toList());
      return List.of();
    }
    if (sql.contains("alrai.tx_log")) {
      return log.run(session, sql);
    }
    if (sql.equals("BEGIN") || sql.equals("START TRANSACTION READ WRITE")) {
      session.begin();
    } else if (sql.startsWith("WRITE ")) {
      session.marker = sql.substring("WRITE ".length());
    } else if (sql.startsWith("COMMIT")) {
      session.commitPlain();
    } else if (sql.startsWith("ROLLBACK")) {
      session.forgetTransaction();
    } else if (sql.equals("XA RECOVER CONVERT XID")) {
      return prepared.keySet().stream().map(FakeMysqld::recovered).toList();
    } else if (sql.equals("SELECT @@GLOBAL.gtid_purged")) {
      return List.of(List.of(purged));
    } else if (sql.contains("processlist WHERE info IN")) {
      Predicate<String> asked = each -> sql.contains(XaName.bytes(each).text());
      return List.of(List.of(Long.toString(waiting.keySet().stream().filter(asked).count())));
    } else if (sql.startsWith("SELECT COUNT(*) FROM information_schema.processlist")) {
      return List.of(List.of("0"));
    } else if (!sql.startsWith("SET SESSION")) {
      throw new Refused(1064, "not in this fake: " + sql);
    }
    return List.of();
  }

  private void xa(FakeSession session, String verb, String name) throws Refused {
    switch (verb) {
      case "XA START" -> session.begin();
      case "XA END" -> {
        if (!session.inTransaction) {
          throw new Refused(1399, "XAER_RMFAIL");
        }
      }
      case "XA PREPARE" -> {
        String marker = session.marker;
        prepared.put(name, marker);
        if (keepsPrepared) {
          keepers.put(name, session);
        }
        session.forgetTransaction();
        if (!marker.isEmpty()) {
          arrived(new TransactionKind.XaPrepare(xid(name)));
        }
      }
      case "XA COMMIT", "XA ROLLBACK" -> {
        if (session.inTransaction) {
          throw new Refused(1399, "XAER_RMFAIL");
        }
        String marker = isAnothers(session, name) ? null : prepared.remove(name);
        if (marker == null) {
          throw new Refused(1397, "XAER_NOTA");
        }
        keepers.remove(name);
        if (marker.isEmpty()) {
          return; // nothing is logged of what changed nothing
        }
        if (verb.equals("XA COMMIT")) {
          committed.add(marker);
        }
        arrived(
            verb.equals("XA COMMIT")
                ? new TransactionKind.XaCommit(xid(name))
                : new TransactionKind.XaRollback(xid(name)));
      }
      default -> throw new Refused(1064, verb);
    }
  }

  static String text(String literal) {
    return literal.startsWith("x")
        ? new String(
            HexFormat.of().parseHex(literal, 2, literal.length() - 1), StandardCharsets.US_ASCII)
        : literal.substring(1, literal.length() - 1);
  }

  private static List<String> recovered(String name) {
    String[] parts = name.split(",", -1);
    String gtrid = text(parts[0]);
    String bqual = text(parts[1]);
    return List.of(
        "1",
        Integer.toString(gtrid.length()),
        Integer.toString(bqual.length()),
        "0x" + HexFormat.of().formatHex((gtrid + bqual).getBytes(StandardCharsets.US_ASCII)));
  }

  @Override
  public DnId dn() {
    return dn;
  }

  @Override
  public LongAdder unfit(Unfit reason) {
    return new LongAdder();
  }

  @Override
  public LongAdder lostReplies() {
    return new LongAdder();
  }

  @Override
  public Latency waits() {
    return new Latency();
  }

  @Override
  public void take(
      EventLoop on,
      BackendAccount account,
      String schema,
      @Nullable Object settings,
      BranchTaker taker) {
    if (down) {
      taker.refused(new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, dn + " is down"));
    } else {
      taker.taken(connect());
    }
  }

  @Override
  public ViewOpener views() {
    throw new UnsupportedOperationException("nobody reads here");
  }

  @Override
  public CommitParticipant participant() {
    throw new UnsupportedOperationException("the test has it");
  }

  @Override
  public void forgetSchemas() {}

  @Override
  public int openBranches() {
    return open.size();
  }

  @Override
  public void close() {
    crash();
  }
}
