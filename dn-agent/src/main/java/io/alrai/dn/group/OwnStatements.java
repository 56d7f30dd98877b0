package io.alrai.dn.group;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.dn.backend.Answer;
import io.alrai.dn.backend.BackendConnector;
import io.alrai.dn.backend.PipelinedBranch;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.mysqld.MysqldException;
import io.alrai.dn.mysqld.MysqldException.Reason;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * What an agent asks of its member's mysqld: each time on a connection of its own, in the agent's
 * account. Thread-safe.
 */
final class OwnStatements {
  private final DnId dn;
  private final BackendConnector connector;
  private final EventLoop loop;
  private final BackendAccount account;

  OwnStatements(DnId dn, BackendConnector connector, EventLoop loop) {
    this(dn, connector, loop, BackendAccount.AGENT);
  }

  /** As they are, but for another account. */
  OwnStatements(DnId dn, BackendConnector connector, EventLoop loop, BackendAccount account) {
    this.dn = dn;
    this.connector = connector;
    this.loop = loop;
    this.account = account;
  }

  /**
   * Runs statements in one text; blocks.
   *
   * @param what they are for, in words that follow "cannot"
   * @throws MysqldException START_FAILED where one is refused, TIMEOUT
   */
  List<List<String>> run(String what, Duration bound, Sql... statements)
      throws InterruptedException {
    try (Running running = begin(statements)) {
      return running.answer(what, bound);
    } catch (TimeoutException e) {
      throw new MysqldException(
          Reason.TIMEOUT,
          "the mysqld of " + dn + " does not " + what + " within " + bound.toSeconds() + " s",
          e);
    }
  }

  /** Begins to run statements in one text. */
  Running begin(Sql... statements) {
    Running running = new Running(statements);
    loop.execute(() -> connector.open(loop, account, running, running));
    return running;
  }

  /** Statements at work. */
  final class Running implements BranchTaker, PipelinedBranch.Home, AutoCloseable {
    private final Sql[] statements;
    private final CompletableFuture<Answer> done = new CompletableFuture<>();

    // On the loop:
    private @Nullable Branch branch;
    private boolean closed;

    private Running(Sql[] statements) {
      this.statements = statements;
    }

    /**
     * Waits for the rows.
     *
     * @throws MysqldException START_FAILED where a statement is refused
     * @throws TimeoutException when there is no answer yet
     */
    List<List<String>> answer(String what, Duration bound)
        throws InterruptedException, TimeoutException {
      try {
        return done.get(bound.toMillis(), TimeUnit.MILLISECONDS).rows();
      } catch (ExecutionException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        throw new MysqldException(
            Reason.START_FAILED,
            "the mysqld of " + dn + " cannot " + what + ": " + cause.getMessage(),
            cause);
      }
    }

    @Override
    public void taken(Branch taken) {
      if (closed) {
        taken.close();
        return;
      }
      branch = taken;
      Answer.ofAll(taken, statements)
          .whenComplete((answer, error) -> {
            if (error == null) {
              done.complete(answer);
            } else {
              done.completeExceptionally(error);
            }
          });
    }

    @Override
    public void refused(AlraiException reason) {
      done.completeExceptionally(reason);
    }

    /** Ends the connection, and what is at work there. */
    @Override
    public void close() {
      loop.execute(() -> {
        closed = true;
        Branch open = branch;
        if (open != null) {
          open.close();
        }
      });
    }

    @Override
    public void returned(PipelinedBranch given) {
      given.close();
    }

    @Override
    public void lost(PipelinedBranch gone) {
      // its statement fails by itself
    }
  }
}
