package io.alrai.cn.command;

import io.alrai.cn.admin.KillStatement;
import io.alrai.cn.admin.XaGuard;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.CompletionType;
import io.alrai.cn.settings.Diagnostics;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.snapshot.TransactionOptions;
import io.alrai.cn.tx.SessionTransaction;
import io.alrai.cn.tx.branch.Savepoints;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.Packets;
import io.alrai.executor.fragment.SlotValues;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.AdminStatement.Wish;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** BEGIN, COMMIT, ROLLBACK, savepoints, USE and KILL: all without waiting on the event loop. */
final class LoopStatements {
  private final ClientConnection connection;

  LoopStatements(ClientConnection connection) {
    this.connection = connection;
  }

  /** Runs a statement and answers the client. */
  void run(
      AdminStatement.OnLoop statement,
      SlotValues values,
      int moreFlag,
      int sequence,
      PinnedForward.Completion completion) {
    XaGuard.check(connection.session().transaction().clientXa(), statement);
    start(statement, values)
        .whenComplete((done, error) -> {
          if (error == null) {
            connection.session().last().diagnostics(diagnostics(statement));
          }
          answer(error, moreFlag, sequence, completion);
        });
  }

  private Diagnostics diagnostics(AdminStatement.OnLoop statement) {
    return switch (statement) {
      case AdminStatement.Rollback _ ->
          Diagnostics.ofWarnings(connection.session().temporary().endInside());
      case AdminStatement.Begin _, AdminStatement.Commit _ -> {
        connection.session().temporary().endInside();
        yield Diagnostics.NONE;
      }
      case AdminStatement.Savepoint _,
          AdminStatement.RollbackToSavepoint _,
          AdminStatement.ReleaseSavepoint _,
          AdminStatement.Xa _,
          AdminStatement.Use _,
          AdminStatement.Kill _ ->
          Diagnostics.NONE;
    };
  }

  /**
   * Starts a statement, without answering the client. The caller has asked {@link XaGuard}.
   *
   * @param values of the statement's slots
   */
  CompletableFuture<Void> start(AdminStatement.OnLoop statement, SlotValues values) {
    Session session = connection.session();
    SessionTransaction transaction = session.transaction();
    return switch (statement) {
      case AdminStatement.Xa xa -> transaction.clientXa().run(xa, () -> session.defaults().take());
      case AdminStatement.Begin begin -> begin(session, begin);
      case AdminStatement.Commit commit -> {
        TransactionOptions again = transaction.options();
        yield transaction
            .commit()
            .thenRun(() -> follow(session, commit.chain(), again, commit.release()));
      }
      case AdminStatement.Rollback rollback -> {
        TransactionOptions again = transaction.options();
        yield transaction
            .rollback()
            .thenRun(() -> follow(session, rollback.chain(), again, rollback.release()));
      }
      case AdminStatement.Savepoint savepoint ->
          savepoint(session, Savepoints.Action.SET, savepoint.name());
      case AdminStatement.RollbackToSavepoint savepoint ->
          savepoint(session, Savepoints.Action.ROLLBACK_TO, savepoint.name());
      case AdminStatement.ReleaseSavepoint savepoint ->
          savepoint(session, Savepoints.Action.RELEASE, savepoint.name());
      case AdminStatement.Use use -> {
        CommandHandlers.useSchema(connection.services().gms().catalog(), session, use.schema());
        yield CompletableFuture.completedFuture(null);
      }
      case AdminStatement.Kill kill -> kill(kill, values);
    };
  }

  private static CompletableFuture<Void> begin(Session session, AdminStatement.Begin begin) {
    SessionTransaction transaction = session.transaction();
    return transaction
        .commit()
        .thenCompose(done -> transaction.held().tableLocks().unlock())
        .thenCompose(done -> {
          transaction.begin(session.defaults().take(begin.readOnly(), begin.consistentSnapshot()));
          return openSnapshot(session);
        });
  }

  private static CompletableFuture<Void> openSnapshot(Session session) {
    SessionTransaction transaction = session.transaction();
    if (!transaction.options().consistentSnapshot()) {
      return CompletableFuture.completedFuture(null);
    }
    SessionSettings settings = session.variables().ofBackends();
    transaction.views().replicas().choose(ThreadLocalRandom.current().nextInt(100), settings);
    return transaction.openSnapshot(settings);
  }

  static KillStatement kills(ClientConnection connection) {
    return new KillStatement(
        connection.services().clients().sessions(),
        connection.services().gms().catalog(),
        connection.loop());
  }

  private CompletableFuture<Void> kill(AdminStatement.Kill kill, SlotValues values) {
    return kills(connection).run(kill, values, connection.session());
  }

  private void follow(Session session, Wish chain, TransactionOptions again, Wish release) {
    CompletionType type = session.own().completion();
    if (type.chains(chain)) {
      session.transaction().begin(again);
    }
    if (type.releases(release)) {
      connection.loop().execute(() -> connection.channel().close());
    }
  }

  private CompletableFuture<Void> savepoint(
      Session session, Savepoints.Action action, String name) {
    if (action == Savepoints.Action.SET) {
      Savepoints.requireOfClient(name);
    }
    SessionTransaction transaction = session.transaction();
    if (!transaction.open()) {
      if (action == Savepoints.Action.SET && session.defaults().autocommit()) {
        return CompletableFuture.completedFuture(null);
      }
      if (!session.defaults().autocommit()) {
        transaction.begin(session.defaults().take());
      }
    }
    return transaction.savepoint(action, name);
  }

  private void answer(
      @Nullable Throwable error, int moreFlag, int sequence, PinnedForward.Completion completion) {
    Session session = connection.session();
    if (error == null) {
      session.own().seedsStay();
      session.last().rowCount(0);
      int warnings = session.last().diagnostics().warningCount();
      ByteBuf out = connection.channel().alloc().buffer(64);
      OkPacket ok = new OkPacket(0, 0, session.statusFlags() | moreFlag, warnings, "");
      Packets.writeOk(out, sequence, ok, session.stateChange());
      connection.channel().writeAndFlush(out, connection.channel().voidPromise());
      completion.done(sequence + 1, false);
      return;
    }
    AlraiException known = AlraiException.causeOf(error);
    CommandErrors.send(
        connection,
        known.is(ErrorCode.ALRAI_INTERNAL) ? CommandErrors.internal(error) : known,
        sequence);
    completion.done(sequence + 1, true);
  }
}
