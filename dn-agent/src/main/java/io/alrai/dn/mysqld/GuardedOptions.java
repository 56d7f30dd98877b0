package io.alrai.dn.mysqld;

import java.util.Locale;
import java.util.Set;

/**
 * Options that Alrai chooses, and nobody else: durability and order of commits, the form of the
 * log, what a replica applies and how, how transactions end, who may log in. A mysqld that takes
 * part in commits is not started with another choice. Pure.
 */
final class GuardedOptions {
  private static final Set<String> GUARDED =
      Set.of(
          "autocommit",
          "binlog-checksum",
          "binlog-encryption",
          "binlog-error-action",
          "binlog-expire-logs-auto-purge",
          "binlog-format",
          "binlog-order-commits",
          "binlog-row-image",
          "binlog-row-metadata",
          "binlog-row-value-options",
          "binlog-transaction-compression",
          "completion-type",
          "enforce-gtid-consistency",
          "event-scheduler",
          "gtid-mode",
          "init-connect",
          "init-file",
          "innodb-deadlock-detect",
          "innodb-doublewrite",
          "innodb-flush-log-at-trx-commit",
          "innodb-rollback-on-timeout",
          "local-infile",
          "log-bin",
          "log-bin-trust-function-creators",
          "log-replica-updates",
          "lower-case-table-names",
          "offline-mode",
          "partial-revokes",
          "read-only",
          "relay-log",
          "relay-log-index",
          "relay-log-purge",
          "relay-log-recovery",
          "replica-exec-mode",
          "replica-net-timeout",
          "replica-parallel-workers",
          "replica-preserve-commit-order",
          "replica-skip-errors",
          "replica-start",
          "replica-type-conversions",
          "replicate-same-server-id",
          "server-id",
          "grant-tables",
          "super-read-only",
          "sync-binlog",
          "transaction-isolation",
          "xa-detach-on-prepare");

  private GuardedOptions() {}

  /**
   * Checks the name of an option that somebody adds.
   *
   * @throws IllegalArgumentException if Alrai chooses it
   */
  static void check(String option) {
    String name = option.toLowerCase(Locale.ROOT).replace('_', '-');
    boolean prefixed = true;
    while (prefixed) {
      prefixed = false;
      for (String prefix : Set.of("loose-", "skip-", "disable-", "enable-", "maximum-")) {
        if (name.startsWith(prefix)) {
          name = name.substring(prefix.length());
          prefixed = true;
        }
      }
    }
    if (GUARDED.contains(name)) {
      throw new IllegalArgumentException(
          "the option " + option + " is Alrai's to choose: its commits depend on it");
    }
  }
}
