package io.alrai.cn.command;

import io.alrai.cn.branch.QueryKiller;
import io.alrai.cn.ending.CommandKill;
import io.alrai.cn.ending.StatementDeadline;
import io.alrai.cn.settings.CnVariables;
import io.alrai.cn.tx.SessionTransaction;
import io.alrai.common.error.AlraiException;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.Planned;
import io.alrai.optimizer.api.Planned.Work;

/**
 * How the command at work ends early: by KILL QUERY, and after its statement's time. Event loop
 * only, unless said otherwise.
 */
final class CommandEnd implements StatementDeadline.Work {
  /** For how long a mysqld may leave a KILL unanswered where only a SELECT is lost with it. */
  private static final long READ_MILLIS = 90;

  /** And where a transaction, table locks or temporary tables are. */
  private static final long TRANSACTION_MILLIS = 1_000;

  private final ClientConnection connection;
  private final CommandHandlers handlers;
  private final QueryKiller killer;
  private final StatementDeadline deadline;

  /** Whether the statement at work is a SELECT; the session's thread reads it. */
  private volatile boolean selects;

  /** The last command that KILL QUERY was to end. */
  private volatile int killed;

  /** The ends of one client's commands. */
  CommandEnd(ClientConnection connection, CommandHandlers handlers) {
    this.connection = connection;
    this.handlers = handlers;
    this.killer = new QueryKiller(connection.branches());
    this.deadline =
        new StatementDeadline(
            connection.loop(), this, connection.services().clients().statementCounts().timeouts());
  }

  /** A statement begins to run: it may have so much time and no more. */
  void begins(Planned statement) {
    CnVariables own = connection.session().own();
    long millis = statement.selectMillis();
    if (millis == 0) {
      millis = own.selectMillis();
    }
    long most = own.statementMillis();
    if (most > 0 && (millis <= 0 || most < millis) && isBound(statement)) {
      millis = most;
    }
    if (millis > 0) {
      selects = statement.selectMillis() != Planned.NO_SELECT;
      deadline.begins(millis);
    } else {
      deadline.over();
    }
  }

  /** Not what commits, defines, locks or sets. */
  private static boolean isBound(Planned statement) {
    return switch (statement.work()) {
      case Work.Data _ -> true;
      case Work.Administrative(AdminStatement.Call _) -> true;
      case Work.Administrative _ -> statement.selectMillis() != Planned.NO_SELECT;
    };
  }

  /** The statement has ended. */
  void over() {
    deadline.over();
  }

  /** The client has left. */
  void gone() {
    deadline.gone();
  }

  /** KILL QUERY of what a command runs. */
  void killCommand(int command) {
    killed = command;
    new CommandKill(
            connection.loop(),
            () -> !connection.runs(command),
            () -> kill(QueryKiller.MOST_MILLIS),
            () -> connection.unheard("KILL QUERY has found nothing to end"))
        .run();
  }

  /** KILL of the connection. */
  void killAll() {
    killer.kill(
        connection.forwarding(), connection.shards().ownWork(), connection.shards().atWork());
  }

  /** Whether the present command is to end. The session's thread. */
  boolean isToEnd() {
    return connection.runs(killed) || deadline.passed();
  }

  /** The client's form of an error. The session's thread. */
  AlraiException told(AlraiException error) {
    return deadline.told(error);
  }

  @Override
  public boolean kill(long patienceMillis) {
    if (connection.session().transaction().held().interrupt()) {
      return true; // that has ended it, and another one may be at work
    }
    boolean sends = handlers.killFile();
    return sends
        | connection.output().end()
        | killer.kill(
            connection.forwarding(),
            connection.shards().ownWork(),
            connection.shards().atWork(),
            patienceMillis);
  }

  @Override
  public long patienceMillis() {
    if (!selects) {
      return QueryKiller.MOST_MILLIS;
    }
    return mayLoseConnections() ? READ_MILLIS : TRANSACTION_MILLIS;
  }

  @Override
  public boolean mayLoseConnections() {
    SessionTransaction transaction = connection.session().transaction();
    return selects
        && !transaction.open()
        && !transaction.held().tableLocks().held()
        && transaction.held().temporary().dn() == null;
  }

  @Override
  public void giveUp(AlraiException reason, boolean views) {
    handlers.giveUp(reason);
    if (deadline.passed()) { // else that has ended it, and another one may be at work
      connection.shards().waits().giveUp(reason, views);
    }
  }
}
