package io.alrai.cn.command;

import io.alrai.cn.cursor.CursorRows;
import io.alrai.cn.result.CursorResult;
import io.alrai.cn.result.ResultWriter;
import io.alrai.cn.session.PreparedStatement;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.Diagnostics;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.ServerStatus;
import io.alrai.executor.fragment.Plan;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.Planned.Work;

/**
 * The cursors of a session's prepared statements: an execution that asks for one keeps its rows,
 * and STMT_FETCH returns a number of them at a time. No cursor needs a mysqld, so whatever happens
 * between two fetches does not change it. Event loop only.
 */
final class StatementCursors {
  private final ClientConnection connection;

  StatementCursors(ClientConnection connection) {
    this.connection = connection;
  }

  /**
   * Whether a statement can have a cursor; others ignore that the client asks for one.
   *
   * @throws AlraiException 1323 for SELECT .. INTO
   */
  static boolean canBeOf(Work work) {
    return switch (work) {
      case Work.Data data -> data.plan() instanceof Plan.Select;
      case Work.Administrative administrative -> canBeOf(administrative.statement());
    };
  }

  private static boolean canBeOf(AdminStatement statement) {
    return switch (statement) {
      case AdminStatement.Call _ -> false;
      case AdminStatement.SelectInto _ -> throw into();
      case AdminStatement.FromShadow query when !query.into().isEmpty() -> throw into();
      case AdminStatement.FromShadow _,
          AdminStatement.AssigningSelect _,
          AdminStatement.NamedLocks _,
          AdminStatement.ExplainOnShard _,
          AdminStatement.WithCalls _,
          AdminStatement.OnConditions _,
          AdminStatement.Handler _,
          AdminStatement.OnLoop _,
          AdminStatement.ByName _,
          AdminStatement.Setting _,
          AdminStatement.Locking _,
          AdminStatement.Report _,
          AdminStatement.Change _ ->
          true;
    };
  }

  private static AlraiException into() {
    return new AlraiException(
        ErrorCode.ER_SP_BAD_CURSOR_SELECT, "Cursor SELECT must not have INTO");
  }

  /** Takes the rows of an execution; {@link #over} follows. */
  CursorResult begin() {
    Session session = connection.session();
    return new CursorResult(
        connection.output(),
        session.client().capabilities().deprecateEof(),
        connection.firstSequence(),
        session::stateChange,
        connection.services().statements().cursors().open());
  }

  /** The execution has ended. */
  void over(PreparedStatement statement, CursorResult result) {
    if (result.opened() && !connection.closed()) {
      statement.open(result.rows());
    } else {
      close(result.rows());
    }
  }

  /** Closes the cursor of a statement, if it has one. */
  static void close(PreparedStatement statement) {
    CursorRows open = statement.takeCursor();
    if (open != null) {
      close(open);
    }
  }

  /** Closes rows on a thread of its own: the system may take long with a large file. */
  private static void close(CursorRows rows) {
    if (rows.isInMemory()) {
      rows.close();
    } else {
      Thread.startVirtualThread(rows::close);
    }
  }

  /**
   * STMT_FETCH.
   *
   * @param most rows
   * @throws AlraiException 1421
   */
  void fetch(PreparedStatement statement, long most) {
    CursorRows rows = statement.takeCursor();
    if (rows == null) {
      throw new AlraiException(
          ErrorCode.ER_STMT_HAS_NO_OPEN_CURSOR,
          "The statement (" + statement.id() + ") has no open cursor.");
    }
    Fetch fetch = new Fetch(connection, rows, most);
    Runnable after =
        () -> {
          if (fetch.goesOn && !connection.closed()) {
            statement.open(rows);
          } else {
            close(rows);
          }
          connection.done();
        };
    if (rows.isInMemory()) {
      fetch.run();
      after.run();
    } else {
      connection.lend(fetch::run, after);
    }
  }

  /** One fetch, on the event loop or on a virtual thread. */
  private static final class Fetch {
    private final Session session;
    private final CursorRows rows;
    private final long most;
    private final ResultWriter writer;
    private boolean goesOn;

    Fetch(ClientConnection connection, CursorRows rows, long most) {
      this.session = connection.session();
      this.rows = rows;
      this.most = most;
      this.writer =
          new ResultWriter(
              connection.output(),
              session.client().capabilities().deprecateEof(),
              true,
              connection.firstSequence(),
              session::stateChange);
    }

    void run() {
      try {
        send();
      } catch (AlraiException e) {
        fail(e);
      } catch (RuntimeException | VirtualMachineError e) {
        fail(CommandErrors.internal(e));
      }
    }

    private void send() {
      long left = most;
      boolean last = false;
      while (left > 0 && !last) {
        byte[] row = rows.next();
        if (row == null) {
          last = true;
        } else {
          writer.encodedRow(row);
          left--;
        }
      }
      rows.pause();
      writer.end(
          0,
          session.statusFlags() | (last ? ServerStatus.LAST_ROW_SENT : ServerStatus.CURSOR_EXISTS));
      goesOn = !last;
    }

    private void fail(AlraiException error) {
      session.last().diagnostics(Diagnostics.ofError(error));
      try {
        writer.error(error);
      } catch (AlraiException clientGone) {
        writer.discard();
      }
    }
  }
}
