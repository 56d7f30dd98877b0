package io.alrai.dn.xa;

import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.sql.Sql;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.wire.Command;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.backend.Answer;
import io.alrai.dn.link.ClientPrepared;
import io.alrai.dn.link.XaName;
import io.alrai.dn.xa.FakeCluster.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A client's XA transaction over all DNs, its primary the first, as a CN prepares and ends it. */
final class FakeXaClient {
  static final String MARKER = "x";
  private static final int DUPLICATE = 1062;

  /** What a client knows of its XA PREPARE. */
  enum Told {
    NOTHING,
    PREPARED,
    ROLLED_BACK
  }

  final TransactionId id;
  Told told = Told.NOTHING;

  private final FakeCluster cluster;
  private final Node primary;
  private final List<FakeSession> branches = new ArrayList<>();
  private final List<CompletableFuture<HlcTimestamp>> prepares = new ArrayList<>();

  FakeXaClient(FakeCluster cluster) {
    this.cluster = cluster;
    id = cluster.newId("dn-1");
    primary = cluster.node("dn-1");
    for (Node node : cluster.nodes.values()) {
      FakeSession branch = node.mysqld().connect();
      branches.add(branch);
      String name = XaName.name(id, branch.dn()).text();
      send(branch, Sql.client("XA START " + name + ";WRITE " + MARKER));
    }
  }

  private static CompletableFuture<Answer> send(FakeSession branch, Sql sql) {
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    Answer.send(branch, Command.QUERY, sql, ReplyKind.SEVERAL, answer);
    branch.flush();
    return answer;
  }

  /** XA PREPARE on the DNs, one by one, then the row at the primary. */
  void prepare(int step) {
    if (step < branches.size()) {
      FakeSession branch = branches.get(step);
      prepares.add(cluster.node(branch.dn().name()).participant().prepare(branch, id));
    } else if (prepares.stream().anyMatch(CompletableFuture::isCompletedExceptionally)) {
      undo();
    } else {
      enter();
    }
  }

  private void enter() {
    HlcTimestamp prepared =
        prepares.stream().map(CompletableFuture::join).max(HlcTimestamp::compareTo).orElseThrow();
    ClientPrepared entry = new ClientPrepared(id, participants(), prepared, "1:61:");
    CompletableFuture<Answer> entered = send(primary.mysqld().connect(), entry.insert());
    if (!entered.isCompletedExceptionally()) {
      told = Told.PREPARED;
    } else if (TxLog.failed(entered.exceptionNow()).is(DUPLICATE)) {
      undo();
    }
  }

  private List<DnId> participants() {
    return List.copyOf(cluster.nodes.keySet());
  }

  private void undo() {
    told = Told.ROLLED_BACK;
    branches.forEach(FakeSession::close);
    cluster.nodes.values().forEach(node -> node.participant().rollbackPrepared(id));
  }

  /**
   * XA COMMIT.
   *
   * @return false when it has to be said again
   */
  boolean commit() {
    ClientPrepared entry = new ClientPrepared(id, participants(), HlcTimestamp.ZERO, "1:61:");
    FakeSession branch = primary.mysqld().connect();
    CompletableFuture<Answer> claimed = send(branch, entry.claim().add(entry.delete()));
    if (claimed.isCompletedExceptionally()) {
      branch.close();
      return false;
    }
    if (claimed.join().rows().isEmpty()) {
      branch.close();
      return true; // nobody knows it, so that it is ended
    }
    CompletableFuture<HlcTimestamp> decided =
        primary
            .participant()
            .preCommit(branch, id)
            .thenCompose(ts -> primary.participant().decide(branch, id, ts, participants()));
    cluster.pass(50);
    if (!decided.isDone() || decided.isCompletedExceptionally()) {
      branch.close();
      return false;
    }
    cluster.nodes.values().forEach(node -> node.participant().commitPrepared(id, decided.join()));
    return true;
  }
}
