package io.alrai.dn.reads;

import io.alrai.dn.backend.BackendConnector;
import io.alrai.dn.link.ViewOpener;

/**
 * What a member that follows serves.
 *
 * @param mysqld opens connections to its mysqld
 * @param views opens views on these, at snapshots, or at what the mysqld has
 */
public record ServedViews(BackendConnector mysqld, ViewOpener views) {}
