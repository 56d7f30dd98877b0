package io.alrai.cn.protocol;

import io.alrai.cn.settings.ClientIdentity;
import io.alrai.cn.settings.UsedAccount;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** How many may log in to an account. Thread-safe. */
public interface LoginLimits {
  /** A login that may become a session; counts as one until it is closed. */
  interface Place extends AutoCloseable {
    /** What the session's statements count for. */
    UsedAccount account();

    /** The session is registered, or there will be none. Any thread; once or more. */
    @Override
    void close();
  }

  /**
   * Asks for a place; never blocks.
   *
   * @return null where nothing bounds the account; else completes on any thread, with 1203 or 1226
   *     where it has enough sessions, or has had enough of them in this hour
   */
  @Nullable CompletableFuture<Place> enter(ClientIdentity identity);
}
