package io.alrai.dn.reads;

import io.alrai.dn.backend.BackendConnector;
import io.alrai.dn.link.ViewOpener;
import io.alrai.dn.ship.FollowedLog;
import java.util.Optional;

/**
 * What a member that follows serves.
 *
 * @param mysqld opens connections to its mysqld
 * @param views opens views on these, at snapshots, or at what the mysqld has
 * @param log of its DN, as it gives it to column nodes; empty where it has none
 */
public record ServedViews(BackendConnector mysqld, ViewOpener views, Optional<FollowedLog> log) {
  /** What one serves that has no log. */
  public ServedViews(BackendConnector mysqld, ViewOpener views) {
    this(mysqld, views, Optional.empty());
  }
}
