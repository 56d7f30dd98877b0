package io.alrai.cn.tx;

import io.alrai.cn.commit.SpanningTransactions;
import io.alrai.cn.snapshot.TransactionOptions;
import io.alrai.cn.tx.branch.TransactionBranch;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.ClientXid;
import io.alrai.optimizer.api.AdminStatement.Xa;
import io.alrai.optimizer.api.AdminStatement.XaOption;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A session's part in XA transactions of its client's. What is prepared belongs to no session any
 * more. Event loop only, unless said otherwise.
 *
 * <pre>
 *               START          END          PREPARE, ROLLBACK, COMMIT ONE PHASE
 * NON-EXISTING -------> ACTIVE ----> IDLE -------------------------------------> NON-EXISTING
 *                          ^           |
 *                          +-----------+ START .. RESUME
 * ACTIVE, IDLE --(rolled back for a deadlock)--> ROLLBACK ONLY --ROLLBACK, COMMIT--> NON-EXISTING
 * </pre>
 */
public final class ClientXa {
  /** The states of a client's XA transaction, by MySQL's names. */
  public enum State {
    NON_EXISTING("NON-EXISTING"),
    ACTIVE("ACTIVE"),
    IDLE("IDLE"),
    ROLLBACK_ONLY("ROLLBACK ONLY");

    private final String told;

    State(String told) {
      this.told = told;
    }
  }

  private final SessionTransaction transaction;
  private final XaEnding ending;
  private final SpanningTransactions cn;
  private volatile @Nullable ClientXid xid;
  private volatile boolean idle;

  ClientXa(SessionTransaction transaction, XaEnding ending, SpanningTransactions cn) {
    this.transaction = transaction;
    this.ending = ending;
    this.cn = cn;
  }

  /** Whether the client has begun one that has not ended. For any thread that has the session. */
  public boolean running() {
    return xid != null;
  }

  /** The state. For any thread that has the session. */
  public State state() {
    if (xid == null) {
      return State.NON_EXISTING;
    }
    if (!transaction.open()) {
      return State.ROLLBACK_ONLY;
    }
    return idle ? State.IDLE : State.ACTIVE;
  }

  /** The error for a statement that does not fit the state. For any thread that has the session. */
  public AlraiException wrongState() {
    // the two blanks are MySQL's
    return new AlraiException(
        ErrorCode.ER_XAER_RMFAIL,
        "XAER_RMFAIL: The command cannot be executed when global transaction is in the  "
            + state().told
            + " state");
  }

  /** The error for statements over rows in ROLLBACK ONLY. */
  public static AlraiException rolledBack() {
    return new AlraiException(
        ErrorCode.ER_XA_RBDEADLOCK,
        "XA_RBDEADLOCK: Transaction branch was rolled back: deadlock was detected");
  }

  static AlraiException unknown() {
    return new AlraiException(ErrorCode.ER_XAER_NOTA, "XAER_NOTA: Unknown XID");
  }

  private static AlraiException invalid() {
    return new AlraiException(
        ErrorCode.ER_XAER_INVAL, "XAER_INVAL: Invalid arguments (or unsupported command)");
  }

  /** The session has ended, or begins anew; others roll back what was open. */
  public void forget() {
    ClientXid known = xid;
    if (known != null) {
      cn.letGo(known);
    }
    xid = null;
    idle = false;
  }

  /**
   * Runs a statement.
   *
   * @param options of a transaction that begins
   */
  public CompletableFuture<Void> run(Xa statement, Supplier<TransactionOptions> options) {
    ClientXid named = statement.xid();
    try {
      return switch (statement.verb()) {
        case START -> start(named, statement.option(), options);
        case END -> end(named, statement.option());
        case PREPARE -> prepare(named);
        case COMMIT -> commit(named, statement.option() == XaOption.ONE_PHASE);
        case ROLLBACK -> rollback(named);
      };
    } catch (AlraiException refused) {
      return CompletableFuture.failedFuture(refused);
    }
  }

  /** Everything that clients have prepared, on any CN. */
  public CompletableFuture<List<ClientXid>> recover() {
    return ending
        .find("")
        .thenApply(all -> all.stream().map(one -> ClientXid.parse(one.xid())).toList());
  }

  private CompletableFuture<Void> start(
      ClientXid named, XaOption option, Supplier<TransactionOptions> options) {
    if (option == XaOption.RESUME && state() == State.IDLE) {
      require(named);
      idle = false;
      return done();
    }
    if (option != XaOption.NONE) {
      throw invalid();
    }
    if (running()) {
      throw wrongState();
    }
    if (transaction.open() || transaction.held().tableLocks().held()) {
      throw new AlraiException(
          ErrorCode.ER_XAER_OUTSIDE, "XAER_OUTSIDE: Some work is done outside global transaction");
    }
    if (!cn.claim(named)) {
      throw duplicate();
    }
    xid = named;
    idle = false;
    transaction.beginXa(options.get());
    return ending
        .find(named.text())
        .exceptionally(unreachable -> List.of())
        .thenAccept(prepared -> {
          if (!prepared.isEmpty()) {
            forget();
            transaction.detach();
            throw duplicate();
          }
        });
  }

  private static AlraiException duplicate() {
    return new AlraiException(ErrorCode.ER_XAER_DUPID, "XAER_DUPID: The XID already exists");
  }

  private CompletableFuture<Void> end(ClientXid named, XaOption option) {
    if (option != XaOption.NONE) {
      throw invalid();
    }
    State now = state();
    if (now != State.ACTIVE && now != State.ROLLBACK_ONLY) {
      throw wrongState();
    }
    require(named);
    if (now == State.ROLLBACK_ONLY) {
      throw rolledBack();
    }
    idle = true;
    return done();
  }

  private void require(ClientXid named) {
    if (!named.equals(xid)) {
      throw unknown();
    }
  }

  private CompletableFuture<Void> prepare(ClientXid named) {
    if (state() != State.IDLE) {
      throw wrongState();
    }
    require(named);
    return admitted(() -> {
      forget();
      return ending.prepare(transaction.detach(), named.text());
    });
  }

  private CompletableFuture<Void> commit(ClientXid named, boolean onePhase) {
    if (!named.equals(xid)) {
      requireFree();
      return admitted(() -> ending.commit(named.text()));
    }
    if (state() == State.ROLLBACK_ONLY) {
      forget();
      throw rolledBack();
    }
    if (state() != State.IDLE || !onePhase) {
      throw wrongState();
    }
    if (transaction.branches().stream().filter(TransactionBranch::mayHaveChanged).count() < 2) {
      forget();
      return transaction.commit();
    }
    return admitted(() -> {
      forget();
      return ending.commitAtOnce(transaction.detach());
    });
  }

  private CompletableFuture<Void> rollback(ClientXid named) {
    if (!named.equals(xid)) {
      requireFree();
      return ending.rollback(named.text());
    }
    if (state() == State.ACTIVE) {
      throw wrongState();
    }
    forget();
    return transaction.rollback();
  }

  /** Refuses a session with an open transaction: only others may end what is prepared. */
  private void requireFree() {
    if (running() || transaction.open() || transaction.held().tableLocks().held()) {
      throw wrongState();
    }
  }

  /**
   * Runs an ending as soon as no lock over the cluster holds commits off. When one does for too
   * long, the session's transaction is rolled back.
   */
  private CompletableFuture<Void> admitted(Supplier<CompletableFuture<Void>> work) {
    return transaction
        .held()
        .admission()
        .awaitCommit()
        .handle((admitted, error) -> {
          if (error != null) {
            AlraiException reason = AlraiException.causeOf(error);
            if (!running()) {
              return CompletableFuture.<Void>failedFuture(reason);
            }
            forget();
            return transaction
                .rollback()
                .thenCompose(undone -> CompletableFuture.<Void>failedFuture(reason));
          }
          return work.get()
              .whenComplete((done, failed) -> transaction.held().admission().committed());
        })
        .thenCompose(Function.identity());
  }

  private static CompletableFuture<Void> done() {
    return CompletableFuture.completedFuture(null);
  }
}
