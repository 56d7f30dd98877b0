package io.alrai.gms.api;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The dynamic privileges that a mysqld of version 9 knows, under their SQL names. All are global.
 * Alrai heeds those that its own statements need and keeps the others for programs that grant them.
 */
public enum DynamicPrivilege {
  ALLOW_NONEXISTENT_DEFINER,
  APPLICATION_PASSWORD_ADMIN,
  AUDIT_ABORT_EXEMPT,
  AUDIT_ADMIN,
  AUTHENTICATION_POLICY_ADMIN,
  BACKUP_ADMIN,
  BINLOG_ADMIN,
  BINLOG_ENCRYPTION_ADMIN,
  CLONE_ADMIN,
  CONNECTION_ADMIN,
  CREATE_SPATIAL_REFERENCE_SYSTEM,
  ENCRYPTION_KEY_ADMIN,
  FIREWALL_EXEMPT,
  FLUSH_OPTIMIZER_COSTS,
  FLUSH_PRIVILEGES,
  FLUSH_STATUS,
  FLUSH_TABLES,
  FLUSH_USER_RESOURCES,
  GROUP_REPLICATION_ADMIN,
  GROUP_REPLICATION_STREAM,
  INNODB_REDO_LOG_ARCHIVE,
  INNODB_REDO_LOG_ENABLE,
  MANAGE_DATA_MASKING_POLICY,
  OPTIMIZE_LOCAL_TABLE,
  PASSWORDLESS_USER_ADMIN,
  PERSIST_RO_VARIABLES_ADMIN,
  REPLICATION_APPLIER,
  REPLICATION_SLAVE_ADMIN,
  RESOURCE_GROUP_ADMIN,
  RESOURCE_GROUP_USER,
  ROLE_ADMIN,
  SENSITIVE_VARIABLES_OBSERVER,
  SERVICE_CONNECTION_ADMIN,
  SESSION_VARIABLES_ADMIN,
  SET_ANY_DEFINER,
  SHOW_ROUTINE,
  SYSTEM_USER,
  SYSTEM_VARIABLES_ADMIN,
  TABLE_ENCRYPTION_ADMIN,
  TELEMETRY_LOG_ADMIN,
  TRANSACTION_GTID_TAG,
  XA_RECOVER_ADMIN;

  /** The one of that name in any case. */
  public static Optional<DynamicPrivilege> named(String word) {
    String upper = word.toUpperCase(Locale.ROOT);
    return Arrays.stream(values()).filter(one -> one.name().equals(upper)).findFirst();
  }
}
