package io.alrai.dn.role;

import io.alrai.dn.group.Reservation;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.slf4j.LoggerFactory;

/** Hears of the member's leads; on the role's thread. */
public interface MemberListener {
  /** It leads in that term, and serves. */
  void leads(long term, Lead lead, Reservation reservation);

  /**
   * It is about to give its lead away: serves nothing new. Returns when the mysqld has answered
   * what it was sent, or the time is up.
   */
  void leaves(Duration bound) throws InterruptedException;

  /**
   * After {@link #leaves}: the mysqld has been alive until now.
   *
   * @return completes when all whose statements were answered in time have heard it; whether no
   *     others are at work
   */
  CompletableFuture<Boolean> left();

  /** It leads no more. */
  void follows();

  /** It cannot go on, as its log cannot be used; the process should end. */
  void failed(Throwable reason);

  /** Nobody hears. */
  MemberListener NOBODY =
      new MemberListener() {
        @Override
        public void leads(long term, Lead lead, Reservation reservation) {}

        @Override
        public void leaves(Duration bound) {}

        @Override
        public CompletableFuture<Boolean> left() {
          return CompletableFuture.completedFuture(true);
        }

        @Override
        public void follows() {}

        @Override
        public void failed(Throwable reason) {
          LoggerFactory.getLogger(MemberListener.class)
              .error("a member fails before it has started", reason);
        }
      };
}
