package io.alrai.dn.xa;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.sql.Sql;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.wire.Command;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.backend.Answer;
import io.alrai.dn.link.XaName;
import io.alrai.dn.xa.FakeCluster.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A CN that commits one transaction over three DNs step by step, and may die between any two. */
final class FakeCoordinator {
  /** The steps of a commit in one of their possible orders. */
  enum Step {
    PREPARE_2,
    PRE_COMMIT,
    PREPARE_3,
    DECIDE,
    COMMIT_2,
    COMMIT_3,
    FORGET
  }

  static final String MARKER = "t";

  final TransactionId id;
  final FakeSession primary;
  final FakeSession second;
  final FakeSession third;

  private final Node node1;
  private final Node node2;
  private final Node node3;
  private final List<CompletableFuture<HlcTimestamp>> prepares = new ArrayList<>();
  private CompletableFuture<HlcTimestamp> decision = new CompletableFuture<>();

  FakeCoordinator(FakeCluster cluster) {
    id = cluster.newId("dn-1");
    node1 = cluster.node("dn-1");
    node2 = cluster.node("dn-2");
    node3 = cluster.node("dn-3");
    primary = node1.mysqld().connect();
    second = node2.mysqld().connect();
    third = node3.mysqld().connect();
    run(primary, "BEGIN;WRITE " + MARKER);
    run(second, "XA START " + XaName.name(id, second.dn()).text() + ";WRITE " + MARKER);
    run(third, "XA START " + XaName.name(id, third.dn()).text() + ";WRITE " + MARKER);
  }

  private static void run(FakeSession branch, String sql) {
    Answer.send(
        branch, Command.QUERY, Sql.client(sql), ReplyKind.SEVERAL, new CompletableFuture<>());
    branch.flush();
  }

  /**
   * Does one step; when a step before it failed, what a CN does then.
   *
   * @return false when there is nothing more to do
   */
  boolean step(Step step) {
    switch (step) {
      case PREPARE_2 -> prepares.add(node2.participant().prepare(second, id));
      case PREPARE_3 -> prepares.add(node3.participant().prepare(third, id));
      case PRE_COMMIT -> prepares.add(node1.participant().preCommit(primary, id));
      case DECIDE -> {
        if (prepares.stream().anyMatch(CompletableFuture::isCompletedExceptionally)) {
          abort();
          return false;
        }
        HlcTimestamp proposed =
            prepares.stream()
                .map(CompletableFuture::join)
                .max(HlcTimestamp::compareTo)
                .orElseThrow();
        decision =
            node1
                .participant()
                .decide(primary, id, proposed, List.of(new DnId("dn-2"), new DnId("dn-3")));
      }
      case COMMIT_2 -> {
        if (!acknowledged()) {
          return false;
        }
        node2.participant().commitPrepared(id, decision.join());
      }
      case COMMIT_3 -> node3.participant().commitPrepared(id, decision.join());
      case FORGET -> node1.participant().forget(id);
    }
    return true;
  }

  /** All connections break. */
  void die() {
    primary.close();
    second.close();
    third.close();
  }

  private void abort() {
    die();
    node2.participant().rollbackPrepared(id);
    node3.participant().rollbackPrepared(id);
  }

  /** Whether the client has got, or may get, the answer that it is committed. */
  boolean acknowledged() {
    return decision.isDone() && !decision.isCompletedExceptionally();
  }

  /** Whether the client has got the answer that it is rolled back. */
  boolean refused() {
    return decision.isCompletedExceptionally()
        && decision.exceptionNow() instanceof AlraiException reason
        && !reason.is(ErrorCode.ALRAI_COMMIT_IN_DOUBT);
  }

  /** The answer to DECIDE. */
  CompletableFuture<HlcTimestamp> decision() {
    return decision;
  }
}
