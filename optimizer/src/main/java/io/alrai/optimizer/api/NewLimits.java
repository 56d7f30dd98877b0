package io.alrai.optimizer.api;

import io.alrai.gms.api.AccountLimits;
import java.util.Optional;

/** What WITH says of an account's limits; the last that is said counts. */
public record NewLimits(
    Optional<Long> queries,
    Optional<Long> updates,
    Optional<Long> logins,
    Optional<Long> sessions) {
  /** Nothing is said. */
  public static final NewLimits NONE =
      new NewLimits(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  /** Whether nothing is said. */
  public boolean isEmpty() {
    return equals(NONE);
  }

  /** The limits of an account after that. */
  public AccountLimits over(AccountLimits before) {
    return new AccountLimits(
        queries.orElse(before.queries()),
        updates.orElse(before.updates()),
        logins.orElse(before.logins()),
        sessions.orElse(before.sessions()));
  }
}
