package io.alrai.cn.admin;

import io.alrai.cn.ask.Answers;
import io.alrai.cn.ask.AskRow;
import io.alrai.cn.ask.ClusterAsk;
import io.alrai.cn.privilege.KillRights;
import io.alrai.cn.session.Session;
import io.alrai.cn.session.SessionRegistry;
import io.alrai.cn.text.TemplateText;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.executor.fragment.SlotValues;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.node.ComputeNode;
import io.alrai.optimizer.api.AdminStatement;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * KILL of a session of any CN, which its id names. Of this CN's nothing waits: it must work when
 * all threads are busy; another CN is asked by a thread of its own. Any thread.
 */
public final class KillStatement {
  private static final String KIND = "kill";
  private static final String KILLED = "killed";
  private static final String REFUSED = "refused";

  /** A KILL's sender gives up before, and later the session may run something else. */
  private static final long HOLDS_MILLIS = 2_000;

  private final SessionRegistry sessions;
  private final Catalog catalog;
  private final Executor loop;

  /**
   * KILL at a CN.
   *
   * @param loop completes what waits for another CN
   */
  public KillStatement(SessionRegistry sessions, Catalog catalog, Executor loop) {
    this.sessions = sessions;
    this.catalog = catalog;
    this.loop = loop;
  }

  /**
   * Ends a session, or what it runs.
   *
   * @param killing who wants it
   * @param values of the statement
   * @return fails as {@link #run(int, boolean, Session)}
   */
  public CompletableFuture<Void> run(AdminStatement.Kill kill, SlotValues values, Session killing) {
    String text =
        new String(TemplateText.render(kill.id(), values, "", killing), StandardCharsets.UTF_8)
            .strip();
    try {
      return run((int) Long.parseLong(text), kill.queryOnly(), killing);
    } catch (NumberFormatException e) {
      throw unknown(text, e);
    }
  }

  /**
   * Ends a session, or what it runs.
   *
   * @return fails with 1094 when no CN has one with that id, 1095 or 1227 when it may not be ended,
   *     8501 when its CN does not answer
   * @throws AlraiException the same of a session of this CN
   */
  public CompletableFuture<Void> run(int id, boolean queryOnly, Session killing) {
    KillRights rights = KillRights.of(killing.user().access(catalog));
    if (sessions.owns(id)) {
      if (!end(sessions, id, queryOnly, rights, catalog)) {
        throw unknown(id);
      }
      return CompletableFuture.completedFuture(null);
    }
    String node =
        catalog.computeNodes().stream()
            .filter(known -> known.number() == SessionRegistry.cnOf(id))
            .map(ComputeNode::id)
            .findFirst()
            .orElseThrow(() -> unknown(id))
            .name();
    CompletableFuture<Void> done = new CompletableFuture<>();
    Thread.startVirtualThread(() -> {
      try {
        ask(node, id, queryOnly, rights);
        loop.execute(() -> done.complete(null));
      } catch (RuntimeException e) {
        loop.execute(() -> done.completeExceptionally(e));
      }
    });
    return done;
  }

  private void ask(String node, int id, boolean queryOnly, KillRights rights) {
    AskRow question =
        AskRow.of(
            id,
            queryOnly ? 1 : 0,
            rights.user(),
            rights.ofOthers() ? 1 : 0,
            rights.ofPeers() ? 1 : 0,
            sessions.asks().nowMillis());
    Answers answers = sessions.asks().askOne(node, KIND, question);
    answers
        .silent()
        .forEach((cn, why) -> {
          throw new AlraiException(
              ErrorCode.ALRAI_NODE_UNAVAILABLE,
              "session "
                  + Integer.toUnsignedString(id)
                  + " is one of CN '"
                  + cn
                  + "', which "
                  + why
                  + ": it is not known whether it is ended");
        });
    AskRow answer = answers.rows().stream().findFirst().orElseThrow(() -> unknown(id));
    if (answer.text(0).equals(REFUSED)) {
      throw AlraiException.fromServer((int) answer.number(1), answer.text(2), answer.text(3));
    }
  }

  /** Lets other CNs end sessions of this one; called before it has any. */
  static void obey(SessionRegistry sessions, Supplier<Catalog> catalog) {
    ClusterAsk asks = sessions.asks();
    long begunMillis = asks.nowMillis();
    asks.answers(
        KIND,
        question -> {
          requireTimely(question.number(5), begunMillis, asks.nowMillis());
          KillRights rights =
              new KillRights(question.text(2), question.number(3) == 1, question.number(4) == 1);
          boolean queryOnly = question.number(1) == 1;
          try {
            boolean killed =
                end(sessions, (int) question.number(0), queryOnly, rights, catalog.get());
            return killed ? List.of(AskRow.of(KILLED)) : List.of();
          } catch (AlraiException e) {
            return List.of(AskRow.of(REFUSED, e.errno(), e.sqlState(), e.sentence()));
          }
        });
  }

  /**
   * A CN that had stopped, or has begun anew, may get a KILL long after it was sent; by then the id
   * may be another session's. The clocks of CNs differ by half a second at most.
   */
  private static void requireTimely(long askedMillis, long begunMillis, long nowMillis) {
    if (askedMillis < begunMillis) {
      throw late("was sent before this CN began");
    }
    if (Math.abs(nowMillis - askedMillis) > HOLDS_MILLIS) {
      throw late(
          "came "
              + (nowMillis - askedMillis)
              + " ms after it was sent, by the clocks of the two CNs, and holds for "
              + HOLDS_MILLIS
              + " ms");
    }
  }

  private static AlraiException late(String why) {
    return new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, "the KILL " + why);
  }

  /** Whether there is one with that id here. */
  private static boolean end(
      SessionRegistry sessions, int id, boolean queryOnly, KillRights rights, Catalog catalog) {
    Optional<SessionRegistry.Entry> victim = sessions.find(id);
    victim.ifPresent(entry -> {
      rights.require(entry.session(), catalog);
      if (queryOnly) {
        entry.killQuery();
      } else {
        entry.killConnection();
      }
    });
    return victim.isPresent();
  }

  private static AlraiException unknown(int id) {
    return new AlraiException(
        ErrorCode.ER_NO_SUCH_THREAD, "Unknown thread id: " + Integer.toUnsignedString(id));
  }

  private static AlraiException unknown(String text, NumberFormatException cause) {
    return new AlraiException(ErrorCode.ER_NO_SUCH_THREAD, "Unknown thread id: " + text, cause);
  }
}
