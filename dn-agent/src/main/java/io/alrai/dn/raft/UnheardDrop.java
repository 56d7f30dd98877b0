package io.alrai.dn.raft;

import java.io.IOException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * That a founder was dropped from its group and was killed before it heard of that. Its log may say
 * that it is to go, and then Ratis lets it wait in silence after each start, until somebody adds
 * it: so it asks the others. Runs on the thread of an executor, for some seconds where they do not
 * answer.
 */
final class UnheardDrop {
  private static final Logger log = LoggerFactory.getLogger(UnheardDrop.class);
  private static final long LOOK_MILLIS = 1_000;

  /** A member that runs when it is dropped hears of that by its next election. */
  private static final int PATIENCE_LOOKS = 5;

  private final GroupConfig config;
  private final Membership membership;
  private final MemberQuestions questions;
  private final GroupEvents events;
  private int looks;

  /**
   * Nobody is asked yet.
   *
   * @param events hear that it was dropped
   */
  UnheardDrop(
      GroupConfig config, Membership membership, MemberQuestions questions, GroupEvents events) {
    this.config = config;
    this.membership = membership;
    this.questions = questions;
    this.events = events;
  }

  /** Looks once a second, where it began with its group: a joiner waits until it is added. */
  void lookOn(ScheduledExecutorService executor) {
    if (!config.founders().isEmpty()) {
      executor.scheduleWithFixedDelay(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void look() {
    boolean waits = !membership.votersWithoutThis().isEmpty() && !DroppedMark.is(config);
    looks = waits ? looks + 1 : 0;
    if (looks >= PATIENCE_LOOKS && membership.votersWithoutThis().stream().anyMatch(this::saysSo)) {
      log.warn(
          "{} was dropped from its group, as another member says: it votes no more", config.name());
      DroppedMark.write(config);
      events.dropped();
    }
  }

  private boolean saysSo(String member) {
    try {
      return questions.doesWithoutThis(member);
    } catch (IOException | RuntimeException e) {
      log.debug("{}: {} does not say who its group is", config.name(), member, e);
      return false;
    }
  }
}
