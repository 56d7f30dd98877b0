package io.alrai.cn.admin;

import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.settings.GlobalVariables;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.settings.VariableValue;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.common.sql.VariableName;
import io.alrai.executor.fragment.SlotValues.Kind;
import io.alrai.gms.api.GmsService;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** SET GLOBAL of what the GMS keeps for all CNs, without setting it at mysqlds. Blocking. */
final class GlobalSettings {
  /** How long a client may take to log in. */
  static final String CONNECT_TIMEOUT = "connect_timeout";

  private static final Pattern TLS = Pattern.compile("(admin_)?(ssl|tls)_\\w+");
  private static final Pattern SMALL_NUMBER = Pattern.compile("-?\\d{1,9}");
  private static final int LEAST_PACKET = 4 << 20;

  private final ShardQueries queries;
  private final GmsService gms;
  private final VariableProbe probe;

  GlobalSettings(ShardQueries queries, GmsService gms, VariableProbe probe) {
    this.queries = queries;
    this.gms = gms;
    this.probe = probe;
  }

  /**
   * Sets a variable on every mysqld.
   *
   * @param scope GLOBAL or PERSIST
   * @param value a literal, or DEFAULT
   * @throws AlraiException a mysqld's refusal
   */
  void tell(VariableName name, String scope, String value) {
    for (DnId dn : queries.links().dns()) {
      queries.updateAsAdmin(
          dn, Sql.of("SET ").written(scope).words(" ").variable(name).words("=").written(value));
    }
  }

  /** A mysqld must take what a CN tells it, however short the clients' statements are. */
  static void requireRoom(String name, String value) {
    boolean small = SMALL_NUMBER.matcher(value).matches() && Long.parseLong(value) < LEAST_PACKET;
    if (small && name.equals("max_allowed_packet")) {
      throw AlraiException.unsupported(
          "'SET GLOBAL max_allowed_packet' below "
              + LEAST_PACKET
              + ": the statements of CNs may be as long");
    }
  }

  /** What the mysqlds have for it. */
  int connectTimeoutSeconds() {
    Sql seconds = Sql.of("SELECT @@GLOBAL." + CONNECT_TIMEOUT);
    return Integer.parseInt(
        String.valueOf(queries.query(queries.links().any(), "", seconds).getFirst().getFirst()));
  }

  /**
   * What a number of connections gets of an expression.
   *
   * @param name of the variable
   * @param warnings takes 1292 where that is another number
   * @throws AlraiException 1232 where it is no whole number
   */
  String connections(
      String name, SessionSettings settings, String expression, List<Condition> warnings) {
    VariableValue value = VariableValue.of(probe.evaluate(settings, expression));
    if (value.kind() != Kind.INTEGER) {
      throw new AlraiException(
          ErrorCode.ER_WRONG_TYPE_FOR_VAR, "Incorrect argument type to variable '" + name + "'");
    }
    long given = Long.parseLong(value.text());
    long meant = GlobalVariables.connections(name, given);
    if (meant != given) {
      warnings.add(
          new Condition(
              "Warning",
              ErrorCode.ER_TRUNCATED_WRONG_VALUE.errno(),
              "Truncated incorrect " + name + " value: '" + given + "'"));
    }
    return Long.toString(meant);
  }

  /** Keeps literals by name, empty ones for the mysqlds' values; returns when all CNs have them. */
  void keep(Map<String, String> literals) {
    literals.forEach((name, literal) -> gms.submit(GlobalVariables.keeping(name, literal)));
    if (!literals.isEmpty()) {
      gms.awaitCatalogEverywhere(gms.catalog().version());
    }
  }

  /** The mysqlds have no use for certificates: their clients are the CNs. */
  static void refuseTls(String name) {
    if (TLS.matcher(name).matches()) {
      throw AlraiException.unsupported(
          "'SET GLOBAL "
              + name
              + "': what there is of TLS is said at the start, with --tls-cert and its like");
    }
  }
}
