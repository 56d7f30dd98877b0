package io.alrai.cn.command;

import io.alrai.cn.session.Diagnostics;
import io.alrai.cn.session.Session;
import io.alrai.cn.tx.SessionTransaction;
import io.alrai.cn.tx.SessionTransaction.SavepointAction;
import io.alrai.cn.tx.TransactionOptions;
import io.alrai.common.error.AlraiException;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.Packets;
import io.alrai.optimizer.api.AdminStatement;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** BEGIN, COMMIT, ROLLBACK, savepoints and USE: all without waiting on the event loop. */
final class TransactionStatements {
  private final ClientConnection connection;

  TransactionStatements(ClientConnection connection) {
    this.connection = connection;
  }

  /** Runs the statement if it is one of these. */
  boolean run(
      AdminStatement statement, int moreFlag, int sequence, PinnedForward.Completion completion) {
    Session session = connection.session();
    SessionTransaction transaction = session.transaction();
    CompletableFuture<Void> work;
    switch (statement) {
      case AdminStatement.Begin begin ->
          work =
              transaction
                  .commit()
                  .thenCompose(done -> transaction.tableLocks().unlock())
                  .thenRun(() ->
                      transaction.begin(
                          takeOptions(session, begin.readOnly(), begin.consistentSnapshot())));
      case AdminStatement.Commit commit -> {
        TransactionOptions again = transaction.options();
        work =
            transaction
                .commit()
                .thenRun(() -> chain(transaction, commit.chain(), again, commit.release()));
      }
      case AdminStatement.Rollback rollback -> {
        TransactionOptions again = transaction.options();
        work =
            transaction
                .rollback()
                .thenRun(() -> chain(transaction, rollback.chain(), again, rollback.release()));
      }
      case AdminStatement.Savepoint savepoint ->
          work = savepoint(session, SavepointAction.SET, savepoint.name());
      case AdminStatement.RollbackToSavepoint savepoint ->
          work = savepoint(session, SavepointAction.ROLLBACK_TO, savepoint.name());
      case AdminStatement.ReleaseSavepoint savepoint ->
          work = savepoint(session, SavepointAction.RELEASE, savepoint.name());
      case AdminStatement.Use use -> {
        CommandHandlers.useSchema(connection.services().gms().catalog(), session, use.schema());
        work = CompletableFuture.completedFuture(null);
      }
      default -> {
        return false;
      }
    }
    work.whenComplete((done, error) -> answer(error, moreFlag, sequence, completion));
    return true;
  }

  private TransactionOptions takeOptions(
      Session session, boolean readOnly, boolean consistentSnapshot) {
    TransactionOptions options =
        new TransactionOptions(
            session.nextIsolation(),
            readOnly || session.readOnly() || session.nextReadOnly(),
            consistentSnapshot);
    session.nextIsolation("");
    session.nextReadOnly(false);
    return options;
  }

  private void chain(
      SessionTransaction transaction, boolean chain, TransactionOptions again, boolean release) {
    if (chain) {
      transaction.begin(again);
    }
    if (release) {
      connection.loop().execute(() -> connection.channel().close());
    }
  }

  private CompletableFuture<Void> savepoint(Session session, SavepointAction action, String name) {
    SessionTransaction transaction = session.transaction();
    if (!transaction.open()) {
      if (action == SavepointAction.SET && session.autocommit()) {
        return CompletableFuture.completedFuture(null);
      }
      if (!session.autocommit()) {
        transaction.begin(TransactionOptions.PLAIN);
      }
    }
    return transaction.savepoint(action, "`" + name.replace("`", "``") + "`");
  }

  private void answer(
      @Nullable Throwable error, int moreFlag, int sequence, PinnedForward.Completion completion) {
    Session session = connection.session();
    if (error == null) {
      session.rowCount(0);
      session.diagnostics(Diagnostics.NONE);
      ByteBuf out = connection.channel().alloc().buffer(32);
      Packets.writeOk(out, sequence, new OkPacket(0, 0, session.statusFlags() | moreFlag, 0, ""));
      connection.channel().writeAndFlush(out, connection.channel().voidPromise());
      completion.done(sequence + 1, false);
      return;
    }
    Throwable cause =
        error instanceof CompletionException wrapped && wrapped.getCause() != null
            ? wrapped.getCause()
            : error;
    CommandErrors.send(
        connection,
        cause instanceof AlraiException known ? known : ClientConnection.internal(cause),
        sequence);
    completion.done(sequence + 1, true);
  }
}
