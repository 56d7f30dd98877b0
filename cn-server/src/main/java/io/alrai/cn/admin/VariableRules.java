package io.alrai.cn.admin;

import io.alrai.cn.privilege.Denied;
import io.alrai.cn.privilege.PrivilegeCheck;
import io.alrai.cn.session.OwnVariables;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.AnalyticSettings;
import io.alrai.cn.settings.ReplicaSettings;
import io.alrai.cn.settings.SecureTransport;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.cn.variable.KnownVariable;
import io.alrai.cn.variable.KnownVariables;
import io.alrai.common.error.AlraiException;
import io.alrai.common.sql.Sql;
import io.alrai.common.sql.VariableName;
import io.alrai.dn.link.GroupLimit;
import io.alrai.gms.api.Access;
import io.alrai.gms.api.DynamicPrivilege;
import io.alrai.gms.api.GmsService;
import io.alrai.gms.api.Privilege;
import io.alrai.optimizer.api.AdminStatement.VariableScope;
import java.util.Locale;
import java.util.Optional;

/** Who may set which variable. Blocking where a mysqld is asked. */
final class VariableRules {
  private final ShardQueries queries;
  private final GmsService gms;

  VariableRules(ShardQueries queries, GmsService gms) {
    this.queries = queries;
    this.gms = gms;
  }

  /** Whether MySQL does not have a variable. */
  static boolean isOfAlrai(VariableName variable) {
    String name = variable.text();
    return AnalyticSettings.isOne(name)
        || GroupLimit.named(name).isPresent()
        || switch (name) {
          case SecureTransport.REQUIRED -> false;
          case OwnVariables.READ_CONSISTENCY,
              OwnVariables.WORKLOAD_TYPE,
              OwnVariables.STATEMENT_TIMEOUT,
              OwnVariables.SESSION_STAMP ->
              true;
          default -> OwnVariables.isGlobalSwitch(name) || ReplicaSettings.isOne(name);
        };
  }

  /** The name that MySQL has today for what drivers of old servers set. */
  VariableName today(VariableName written) {
    return switch (written.text()) {
      case "tx_isolation" -> VariableName.of("transaction_isolation");
      case "tx_read_only" -> VariableName.of("transaction_read_only");
      default -> written;
    };
  }

  /**
   * What is known of a variable.
   *
   * @throws AlraiException 1193 where there is none, 1235 where mysqlds have it and the CN does not
   *     know what it would change
   */
  KnownVariable known(VariableName variable) {
    Optional<KnownVariable> known = KnownVariables.of(variable);
    if (known.isPresent()) {
      return known.get();
    }
    queries.query(queries.links().any(), "", Sql.of("SELECT @@").variable(variable));
    throw AlraiException.unsupported(
        "'SET " + variable + "': it is not known what that would change on the DNs");
  }

  /** Refuses Alrai's own that only the CN as a whole has. */
  static void refuseGlobal(String name) {
    if (AnalyticSettings.isOne(name)
        || GroupLimit.named(name).isPresent()
        || name.equals(OwnVariables.ROW_CACHE)
        || name.equals(OwnVariables.STATEMENT_DIGESTS)) {
      throw KnownVariable.globalOnly(name);
    }
  }

  /**
   * Refuses Alrai's own that no CN has as a whole, and to keep them.
   *
   * @throws AlraiException 1228 or 1235
   */
  static void requireGlobal(String name, VariableScope scope) {
    if (GroupLimit.named(name).isPresent()) {
      return; // the GMS keeps it
    }
    if (!AnalyticSettings.isOne(name)
        && !OwnVariables.isGlobalSwitch(name)
        && !name.equals(OwnVariables.STATEMENT_TIMEOUT)
        && !ReplicaSettings.isOne(name)) {
      throw AlraiException.fromServer(
          1228,
          "HY000",
          "Variable '" + name + "' is a SESSION variable and can't be used with SET GLOBAL");
    }
    if (scope == VariableScope.PERSIST) {
      throw AlraiException.unsupported(
          "'SET PERSIST "
              + name
              + (name.equals(SecureTransport.REQUIRED) ? "': start with --tls required" : "'"));
    }
  }

  /**
   * What SET GLOBAL needs.
   *
   * @throws AlraiException 1227
   */
  void requireAdmin(Session session) {
    PrivilegeCheck.require(
        session, gms.catalog(), Privilege.SUPER, DynamicPrivilege.SYSTEM_VARIABLES_ADMIN);
  }

  /**
   * What SET SESSION needs.
   *
   * @throws AlraiException 1227
   */
  void requireAsked(Session session, KnownVariable known) {
    if (known.asks().isEmpty()) {
      return;
    }
    Access access = session.user().access(gms.catalog());
    boolean variables =
        access.has(DynamicPrivilege.SYSTEM_VARIABLES_ADMIN)
            || access.has(DynamicPrivilege.SESSION_VARIABLES_ADMIN);
    boolean superUser = access.has(Privilege.SUPER);
    switch (known.asks().get()) {
      case SESSION_ADMIN ->
          require(
              variables || superUser, "SUPER, SYSTEM_VARIABLES_ADMIN or SESSION_VARIABLES_ADMIN");
      case SESSION_ADMIN_NO_SUPER ->
          require(variables, "SYSTEM_VARIABLES_ADMIN or SESSION_VARIABLES_ADMIN");
      case APPLIER ->
          require(
              variables || superUser || access.has(DynamicPrivilege.REPLICATION_APPLIER),
              "SUPER, SYSTEM_VARIABLES_ADMIN, SESSION_VARIABLES_ADMIN or REPLICATION_APPLIER");
      case FILE -> require(access.has(Privilege.FILE), "FILE");
    }
  }

  private static void require(boolean may, String privileges) {
    if (!may) {
      throw Denied.lacking(privileges);
    }
  }

  /**
   * Refuses any other value than the one that a mysqld has.
   *
   * @param scope SESSION or GLOBAL
   * @throws AlraiException 1235
   */
  void requireSame(KnownVariable known, String scope, String value) {
    String has =
        String.valueOf(
            queries
                .query(
                    queries.links().any(),
                    "",
                    Sql.of("SELECT @@").written(scope).words(".").variable(known.name()))
                .getFirst()
                .getFirst());
    if (!plain(has).equals(plain(value))) {
      throw known.refused();
    }
  }

  private static String plain(String value) {
    String upper = value.toUpperCase(Locale.ROOT);
    return switch (upper) {
      case "ON", "TRUE" -> "1";
      case "OFF", "FALSE" -> "0";
      case "NULL" -> "";
      default -> upper;
    };
  }
}
