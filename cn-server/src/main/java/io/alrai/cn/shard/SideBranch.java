package io.alrai.cn.shard;

import io.alrai.cn.branch.BranchPreparation;
import io.alrai.cn.branch.QueryKiller;
import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.branch.WarningsFetch;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.OkPacket;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.ReplySink;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * A mysqld connection beside the session's transaction, held over several statements. Whoever
 * changes its state puts it back before {@link #close}, or ends it by {@link #discard}. Statements
 * run in the order in which they are started. One virtual thread.
 */
public final class SideBranch implements AutoCloseable {
  private final Branch branch;
  private final QueryKiller killer;
  private volatile SessionSettings settings;

  private SideBranch(Branch branch, QueryKiller killer, SessionSettings settings) {
    this.branch = branch;
    this.killer = killer;
    this.settings = settings;
  }

  /**
   * Takes a connection; blocks until there is one.
   *
   * @param settings that it has at first
   */
  public static SideBranch open(ShardQueries queries, DnId dn, SessionSettings settings) {
    return open(queries, dn, BackendAccount.DATA, settings);
  }

  /** Opens one under an account. */
  public static SideBranch open(
      ShardQueries queries, DnId dn, BackendAccount account, SessionSettings settings) {
    CompletableFuture<Branch> taken = new CompletableFuture<>();
    queries.take(
        dn,
        account,
        new BranchTaker() {
          @Override
          public void taken(Branch branch) {
            BranchPreparation.queue(branch, settings, "");
            taken.complete(branch);
          }

          @Override
          public void refused(AlraiException reason) {
            taken.completeExceptionally(reason);
          }
        });
    try {
      return new SideBranch(taken.get(), queries.killer(), settings);
    } catch (ExecutionException e) {
      throw AlraiException.causeOf(e);
    } catch (InterruptedException e) {
      taken.thenAccept(late -> late.eventLoop().execute(late::release));
      Thread.currentThread().interrupt();
      throw AlraiException.interruption(e);
    }
  }

  /** Replaces the settings that the next statements have. */
  public void settings(SessionSettings next) {
    settings = next;
  }

  /** Where it goes. */
  public DnId dn() {
    return branch.dn();
  }

  /**
   * Starts a statement; it must be read to its end, or closed, before the next one.
   *
   * @param schema current schema; empty for any
   */
  public ShardCall start(String schema, byte[] sql) {
    return start(schema, ShardStatement.text(sql));
  }

  /** Runs a text of the CN's own. */
  public ShardCall start(String schema, Sql sql) {
    return start(schema, ShardStatement.text(sql));
  }

  private ShardCall start(String schema, ShardStatement text) {
    StatementEnding ending = new StatementEnding(branch.eventLoop(), killer);
    ShardCall call = new ShardCall(ending::over);
    send(schema, text, call, call, ending);
    return call;
  }

  /**
   * Starts a statement whose warnings count.
   *
   * @param warnings takes them before the call is complete; thread-safe
   */
  public ShardCall start(String schema, ShardStatement statement, Queue<Condition> warnings) {
    StatementEnding ending = new StatementEnding(branch.eventLoop(), killer);
    ShardCall call = new ShardCall(ending::over, () -> {}, statement::binaryRows);
    send(schema, statement, call, new WarningsFetch(call, branch, warnings), ending);
    return call;
  }

  private void send(
      String schema,
      ShardStatement statement,
      ShardCall call,
      ReplySink sink,
      StatementEnding ending) {
    SessionSettings now = settings;
    call.runsOn(branch);
    call.endsBy(ending::end);
    branch
        .eventLoop()
        .execute(() -> {
          if (ending.ended() || call.abandoned()) {
            call.refuse(AlraiException.interruption());
            return;
          }
          ending.runsOn(branch);
          BranchPreparation.queue(branch, now, schema);
          statement.send(branch, sink);
        });
  }

  /**
   * Runs statements without rows, all sent before the first answer, and waits for all.
   *
   * @throws AlraiException the first one's error; the others have run all the same
   */
  public void updates(List<ShardStatement> statements) {
    List<ShardCall> calls = statements.stream().map(each -> start("", each)).toList();
    try {
      calls.forEach(ShardCall::update);
    } finally {
      calls.forEach(ShardCall::close);
    }
  }

  /** Runs a statement without rows and waits for it. */
  public OkPacket update(String schema, ShardStatement statement) {
    try (ShardCall call = start(schema, statement)) {
      return call.update();
    }
  }

  /** Runs a text of the CN's own. */
  public OkPacket update(String schema, Sql sql) {
    return update(schema, ShardStatement.text(sql));
  }

  /** Gives it back. */
  @Override
  public void close() {
    branch.eventLoop().execute(branch::release);
  }

  /** Ends the connection. */
  public void discard() {
    branch.eventLoop().execute(branch::close);
  }
}
