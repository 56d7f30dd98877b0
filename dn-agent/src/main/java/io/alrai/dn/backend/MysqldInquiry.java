package io.alrai.dn.backend;

import io.alrai.common.error.AlraiException;
import io.alrai.common.sql.Sql;
import io.alrai.dn.backend.SilentReplies.Answerer;
import io.alrai.dn.backend.SilentReplies.Seen;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks a mysqld what it does for connections, over a connection beside those of the pools: these
 * may all be at work. It is opened when it is needed, and kept as long. Event loop only.
 */
final class MysqldInquiry implements SilentReplies.Inquiry, PipelinedBranch.Home {
  private static final long ANSWER_SECONDS = 5;

  private final EventLoop loop;
  private final BackendConnector connector;
  private @Nullable Branch branch;

  MysqldInquiry(EventLoop loop, BackendConnector connector) {
    this.loop = loop;
    this.connector = connector;
  }

  @Override
  public void ask(List<Long> connections, Answerer answer) {
    Branch open = branch;
    if (open != null && open.alive()) {
      ask(open, connections, answer);
      return;
    }
    connector.open(
        loop,
        BackendAccount.DATA, // a CN asks too, and may not have the agent's
        this,
        new BranchTaker() {
          @Override
          public void taken(Branch opened) {
            branch = opened;
            ask(opened, connections, answer);
          }

          @Override
          public void refused(AlraiException reason) {
            answer.notAsked();
          }
        });
  }

  private void ask(Branch open, List<Long> connections, Answerer answer) {
    ScheduledFuture<?> bound = loop.schedule(open::close, ANSWER_SECONDS, TimeUnit.SECONDS);
    List<Sql> ids = connections.stream().map(Sql.EMPTY::number).toList();
    Answer.of(
            open,
            Sql.of("SELECT id, command='Sleep' FROM information_schema.processlist WHERE id IN (")
                .add(Sql.join(",", ids))
                .words(")"))
        .whenComplete((rows, error) -> {
          boolean inTime = bound.cancel(false);
          if (error == null) {
            answer.seen(seen(rows));
          } else if (inTime) {
            open.close();
            answer.notAsked();
          } else {
            answer.unanswered();
          }
        });
  }

  private static Map<Long, Seen> seen(Answer answer) {
    Map<Long, Seen> seen = new HashMap<>();
    for (List<String> row : answer.rows()) {
      seen.put(Long.parseLong(row.get(0)), row.get(1).equals("1") ? Seen.IDLE : Seen.AT_WORK);
    }
    return seen;
  }

  @Override
  public void rest() {
    Branch open = branch;
    branch = null;
    if (open != null) {
      open.close();
    }
  }

  @Override
  public void returned(PipelinedBranch idle) {
    idle.close();
  }

  @Override
  public void lost(PipelinedBranch closed) {
    // the next question opens another
  }
}
