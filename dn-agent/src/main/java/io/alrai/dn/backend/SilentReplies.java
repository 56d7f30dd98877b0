package io.alrai.dn.backend;

import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after the connections of one event loop to one mysqld on which a reply is due and nothing
 * comes. A statement may work for hours: so the mysqld is asked whether it is at work. Where it
 * knows nothing of the connection, or idles there, or answers nobody, the reply would never come:
 * the connection is closed, and its reader gets an error. Event loop only.
 */
final class SilentReplies {
  private static final Logger log = LoggerFactory.getLogger(SilentReplies.class);

  private static final long LOOK_MILLIS = 5_000;

  /** After so long the mysqld is asked, and then again and again. */
  static final long ASK_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** How long it may idle on a connection, or answer nothing, while a reply is due. */
  static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** What a mysqld says of a connection. */
  enum Seen {
    AT_WORK,
    IDLE,
    UNKNOWN
  }

  /** Asks the mysqld. Event loop only. */
  interface Inquiry {
    /**
     * Asks about connections by their numbers.
     *
     * @param answer called once, within a bounded time
     */
    void ask(List<Long> connections, Answerer answer);

    /** No reply is overdue: the connection for asking may be closed. */
    void rest();
  }

  /** Receives what a mysqld says. */
  interface Answerer {
    /** What it says of each; those that it does not know are missing. */
    void seen(Map<Long, Seen> connections);

    /** It let somebody in, but does not answer. */
    void unanswered();

    /** Nobody was let in, which says nothing: it may be full, or change its accounts. */
    void notAsked();
  }

  /** A connection and since when nothing has come. */
  private static final class Watched {
    private int heard;
    private long sinceNanos;
    private boolean told;

    boolean is(PipelinedBranch branch, long now) {
      if (branch.heard() != heard || !branch.awaitsReply()) {
        heard = branch.heard();
        sinceNanos = now;
        told = false;
      }
      return now - sinceNanos >= ASK_NANOS;
    }
  }

  private final EventLoop loop;
  private final Inquiry inquiry;
  private final LongAdder closed;
  private final LongSupplier nanos;
  private final Map<PipelinedBranch, Watched> watched = new HashMap<>();
  private boolean looking;
  private boolean asking;
  private long unansweredNanos;
  private boolean unanswered;

  /**
   * Watches nothing yet.
   *
   * @param closed counts
   * @param nanos the time
   */
  SilentReplies(EventLoop loop, Inquiry inquiry, LongAdder closed, LongSupplier nanos) {
    this.loop = loop;
    this.inquiry = inquiry;
    this.closed = closed;
    this.nanos = nanos;
  }

  void opened(PipelinedBranch branch) {
    Watched fresh = new Watched();
    fresh.sinceNanos = nanos.getAsLong();
    watched.put(branch, fresh);
    if (!looking) {
      looking = true;
      loop.schedule(this::lookAgain, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  void lost(PipelinedBranch branch) {
    watched.remove(branch);
  }

  private void lookAgain() {
    looking = !watched.isEmpty();
    look();
    if (looking) {
      loop.schedule(this::lookAgain, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  void look() {
    long now = nanos.getAsLong();
    List<PipelinedBranch> silent = new ArrayList<>();
    watched.forEach((branch, watch) -> {
      if (watch.is(branch, now)) {
        silent.add(branch);
      }
    });
    if (silent.isEmpty()) {
      unanswered = false;
      if (!asking) {
        inquiry.rest();
      }
    } else if (!asking) {
      asking = true;
      inquiry.ask(
          silent.stream().map(PipelinedBranch::serverConnectionId).toList(), answerer(silent));
    }
  }

  private Answerer answerer(List<PipelinedBranch> silent) {
    return new Answerer() {
      @Override
      public void seen(Map<Long, Seen> connections) {
        asking = false;
        unanswered = false;
        for (PipelinedBranch branch : silent) {
          judge(branch, connections.getOrDefault(branch.serverConnectionId(), Seen.UNKNOWN));
        }
      }

      @Override
      public void unanswered() {
        asking = false;
        nobodyIsAnswered(silent);
      }

      @Override
      public void notAsked() {
        asking = false;
      }
    };
  }

  private void judge(PipelinedBranch branch, Seen seen) {
    long silent = silence(branch);
    switch (seen) {
      case UNKNOWN -> end(branch, silent, "the mysqld does not know it any more");
      case IDLE -> end(branch, silent - PATIENCE_NANOS, "the mysqld idles there");
      case AT_WORK -> {
        Watched watch = watched.get(branch);
        if (watch != null && !watch.told && silent >= PATIENCE_NANOS) {
          watch.told = true;
          log.info(
              "connection {} to the mysqld of {} has been at work for {} s without an answer",
              branch.serverConnectionId(),
              branch.dn(),
              TimeUnit.NANOSECONDS.toSeconds(silent));
        }
      }
    }
  }

  private void nobodyIsAnswered(List<PipelinedBranch> silent) {
    long now = nanos.getAsLong();
    if (!unanswered) {
      unanswered = true;
      unansweredNanos = now;
      log.warn("the mysqld of {} does not answer", silent.getFirst().dn());
    }
    long patience = PATIENCE_NANOS - (now - unansweredNanos);
    for (PipelinedBranch branch : silent) {
      end(branch, patience > 0 ? -1 : silence(branch), "the mysqld does not answer");
    }
  }

  /** Negative where something has come meanwhile. */
  private long silence(PipelinedBranch branch) {
    Watched watch = watched.get(branch);
    long now = nanos.getAsLong();
    return watch != null && watch.is(branch, now) ? now - watch.sinceNanos : -1;
  }

  private void end(PipelinedBranch branch, long overdue, String why) {
    if (overdue < 0) {
      return;
    }
    closed.increment();
    log.warn(
        "connection {} to the mysqld of {} is closed, as the reply that is due there will not"
            + " come: {}",
        branch.serverConnectionId(),
        branch.dn(),
        why);
    branch.close();
  }
}
