package io.alrai.cn.tx.branch;

import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import java.util.List;
import java.util.Optional;

/**
 * An open transaction at one moment.
 *
 * @param id its name; none while it has branches on less than two DNs
 * @param ageMillis since it was begun
 * @param atWork whether a statement of it is at work on a branch
 * @param snapshot that its consistent reads see on every DN; none before the first of them, and
 *     where they do not read at one
 * @param branches in the order in which DNs were touched
 */
public record OpenTransaction(
    Optional<TransactionId> id,
    long ageMillis,
    boolean atWork,
    Optional<HlcTimestamp> snapshot,
    List<Part> branches) {
  public OpenTransaction {
    branches = List.copyOf(branches);
  }

  /**
   * A branch.
   *
   * @param connection the mysqld's number for it
   * @param primary whether its commit decides
   * @param wrote whether it may have changed or locked rows
   */
  public record Part(DnId dn, long connection, boolean primary, boolean wrote) {}
}
