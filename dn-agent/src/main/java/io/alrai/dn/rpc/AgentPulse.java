package io.alrai.dn.rpc;

import io.alrai.common.id.DnId;
import io.alrai.dn.rpc.wire.Message;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks an agent every now and then whether it runs. One that has stopped keeps its connections, and
 * its machine acknowledges what is sent to it: so nothing else ends the statements that wait there.
 * When it has not answered several times in a row, its data connections are closed. On the loop of
 * the control connection.
 */
final class AgentPulse implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(AgentPulse.class);

  /** How many questions in a row may stay unanswered. */
  static final int MOST = 3;

  private static final long PAUSE_MILLIS = 1_000;

  /** After so long without an answer the other members of its DN are asked, too. */
  private static final long ELSEWHERE_MILLIS = 500;

  private final DnId dn;
  private final ControlConnection control;
  private final Peers.Peer peer;
  private final long askMillis;
  private final Runnable onSilence;
  private final Future<?> asking;
  private boolean asked;
  private int questions;
  private int unanswered;

  /** Written on the loop. */
  private volatile boolean answers = true;

  /** Written on the loop. */
  private volatile boolean mysqldAnswers = true;

  /**
   * Begins to ask.
   *
   * @param askMillis how long an answer may take
   * @param onSilence counts
   */
  AgentPulse(
      DnId dn, ControlConnection control, Peers.Peer peer, long askMillis, Runnable onSilence) {
    this.dn = dn;
    this.control = control;
    this.peer = peer;
    this.askMillis = askMillis;
    this.onSilence = onSilence;
    long pause = Math.min(PAUSE_MILLIS, askMillis);
    this.asking =
        control.loop().scheduleWithFixedDelay(this::ask, pause, pause, TimeUnit.MILLISECONDS);
  }

  /** Whether the last question was answered. Any thread. */
  boolean answers() {
    return answers;
  }

  /** Whether the leader's mysqld answers, as its agent has said last, if it says so. Any thread. */
  boolean mysqldAnswers() {
    return answers && mysqldAnswers;
  }

  private void ask() {
    if (asked || control.closed()) {
      return;
    }
    asked = true;
    int question = ++questions;
    control.loop().schedule(() -> lookElsewhere(question), ELSEWHERE_MILLIS, TimeUnit.MILLISECONDS);
    control
        .call(new Message.Ping(), askMillis)
        .whenComplete((reply, error) ->
            control
                .loop()
                .execute(() -> {
                  mysqldAnswers =
                      !(reply instanceof Message.PulseIs pulse) || pulse.mysqldAnswers();
                  answered(error == null);
                }));
  }

  /** One that has stopped may have been succeeded, which it cannot say. */
  private void lookElsewhere(int question) {
    if (asked && question == questions && !control.closed()) {
      control.lookElsewhere();
    }
  }

  private void answered(boolean alive) {
    asked = false;
    answers = alive;
    if (alive) {
      if (unanswered >= MOST) {
        log.info("the agent of {} answers again", dn);
      }
      unanswered = 0;
      return;
    }
    unanswered++;
    if (unanswered >= MOST && !control.closed()) {
      if (unanswered == MOST) {
        log.warn(
            "the agent of {} has not answered {} times in a row, each time for {} ms: its"
                + " connections are closed until it does",
            dn,
            MOST,
            askMillis);
        onSilence.run();
      }
      peer.silent();
    }
  }

  @Override
  public void close() {
    asking.cancel(false);
  }
}
