package io.alrai.cn.command;

import io.alrai.cn.branch.RowAccess;
import io.alrai.cn.command.ForwardBranches.Request;
import io.alrai.cn.protocol.ForwardedReply;
import io.alrai.common.id.DnId;
import io.alrai.dn.link.AskedReplies;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.KeptReplies;
import io.alrai.dn.link.ReplySink;
import io.netty.channel.EventLoop;

/**
 * Has reads answered by what their DNs' agents have kept: at once where the agent is in this
 * process, else it is asked. Of one connection, one read at a time; event loop only.
 */
final class KeptReads {
  /** Whose reads they are. */
  interface Reader {
    /** Whether this statement waits for an answer. */
    boolean awaits(Request what);

    /** A kept reply is about to be sent to the client; gives who sends it. */
    ForwardedReply answers(Request what, boolean inTransaction);

    /** The agent that was asked has none. */
    void notKept(Request what, boolean inTransaction, boolean watches);

    /** The statement cannot go on. */
    void defect(Throwable cause);
  }

  private final ClientConnection connection;
  private final Reader reader;
  private final ReplyKeeper keeper = new ReplyKeeper();

  KeptReads(ClientConnection connection, Reader reader) {
    this.connection = connection;
    this.reader = reader;
  }

  /** The keeper, to which the read that is going to be forwarded is announced. */
  ReplyKeeper keeper() {
    return keeper;
  }

  /**
   * Whether a read is answered by a kept reply, or an agent is asked for one, after which the
   * reader hears more.
   */
  boolean take(Request what, boolean inTransaction, boolean watches) {
    if (!keeper.known() || connection.closed()) {
      return false;
    }
    long current = watches ? KeptReplies.CURRENT : KeptReplies.NOWHERE;
    long shown = inTransaction ? ofView(what) : current;
    if (shown == KeptReplies.NOWHERE) {
      return false;
    }
    KeptReplies rows = rows(what.dn());
    AskedReplies elsewhere = rows.elsewhere().orElse(null);
    if (elsewhere != null) {
      long term = inTransaction ? connection.session().transaction().views().term(what.dn()) : 0;
      return keeper.ask(elsewhere, loop(), shown, term, new Asked(what, inTransaction, watches));
    }
    int length = keeper.find(rows, shown);
    if (length >= 0) {
      keeper.pass(length, reader.answers(what, inTransaction));
    }
    return length >= 0;
  }

  private final class Asked implements ReplyKeeper.Answered {
    private final Request what;
    private final boolean inTransaction;
    private final boolean watches;

    Asked(Request what, boolean inTransaction, boolean watches) {
      this.what = what;
      this.inTransaction = inTransaction;
      this.watches = watches;
    }

    @Override
    public boolean awaits() {
      return reader.awaits(what);
    }

    @Override
    public void found(int length) {
      goesOn(() -> keeper.pass(length, reader.answers(what, inTransaction)));
    }

    @Override
    public void missed() {
      goesOn(() -> reader.notKept(what, inTransaction, watches));
    }

    private void goesOn(Runnable how) {
      if (!reader.awaits(what)) {
        return;
      }
      try {
        how.run();
      } catch (RuntimeException | VirtualMachineError e) {
        reader.defect(e);
      }
    }
  }

  /**
   * A sink that lets the DN keep what it passes on, if it may be kept.
   *
   * @param from the branch that it comes from
   * @param ownView whether that has a view for this read alone
   */
  ReplySink keeping(Request what, Branch from, boolean watches, boolean ownView, ReplySink reply) {
    if (!keeper.known()) {
      return reply;
    }
    KeptReplies rows = rows(what.dn());
    AskedReplies elsewhere = rows.elsewhere().orElse(null);
    long ofView = ownView ? from.state().shown() : ofView(what);
    if (elsewhere == null) {
      return keeper.keeping(rows, watches ? rows.visible() : ofView, reply);
    }
    EventLoop loop = loop();
    return watches
        ? keeper.keeping(elsewhere, loop, elsewhere.visible(loop), elsewhere.term(loop), reply)
        : keeper.keeping(elsewhere, loop, ofView, from.state().term(), reply);
  }

  private long ofView(Request what) {
    return what.access() == RowAccess.CONSISTENT
        ? connection.session().transaction().views().shown(what.dn())
        : KeptReplies.NOWHERE;
  }

  private KeptReplies rows(DnId dn) {
    return connection.branches().rows(dn);
  }

  private EventLoop loop() {
    return connection.channel().eventLoop();
  }
}
