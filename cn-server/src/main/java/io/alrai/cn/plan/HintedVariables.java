package io.alrai.cn.plan;

import io.alrai.cn.variable.KnownVariable.Asked;
import io.alrai.cn.variable.KnownVariables;
import io.alrai.common.sql.VariableName;
import io.alrai.gms.api.DynamicPrivilege;
import io.alrai.gms.api.Privilege;
import io.alrai.optimizer.api.Need;
import io.alrai.optimizer.api.Needs;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The hint SET_VAR sets a variable for one statement, and a mysqld asks for the rights of Alrai's
 * account: what SET asks of the client is asked here. Stateless.
 */
final class HintedVariables {
  private static final Pattern SET_VAR =
      Pattern.compile("\\bSET_VAR\\s*\\(\\s*[`\"]?([\\w$]{1,64})", Pattern.CASE_INSENSITIVE);

  private HintedVariables() {}

  /**
   * Adds what the hints of a statement need.
   *
   * @param shape the statement without the texts of its literals
   */
  static Needs add(Needs needs, String shape) {
    List<Need> more = new ArrayList<>();
    int begin = shape.indexOf("/*+");
    while (begin >= 0) {
      int end = shape.indexOf("*/", begin);
      if (end < 0) {
        break;
      }
      addHint(more, SET_VAR.matcher(shape).region(begin, end));
      begin = shape.indexOf("/*+", end);
    }
    return more.isEmpty() ? needs : needs.and(more);
  }

  private static void addHint(List<Need> more, Matcher variable) {
    while (variable.find()) {
      KnownVariables.of(VariableName.of(variable.group(1)))
          .flatMap(known -> known.asks())
          .ifPresent(asked -> more.add(need(asked)));
    }
  }

  private static Need need(Asked asked) {
    List<DynamicPrivilege> variables =
        List.of(DynamicPrivilege.SYSTEM_VARIABLES_ADMIN, DynamicPrivilege.SESSION_VARIABLES_ADMIN);
    return switch (asked) {
      case SESSION_ADMIN ->
          new Need.Global(
              Privilege.bits(Privilege.SUPER),
              variables,
              "SUPER, SYSTEM_VARIABLES_ADMIN or SESSION_VARIABLES_ADMIN");
      case SESSION_ADMIN_NO_SUPER ->
          new Need.Global(0, variables, "SYSTEM_VARIABLES_ADMIN or SESSION_VARIABLES_ADMIN");
      case APPLIER ->
          new Need.Global(
              Privilege.bits(Privilege.SUPER),
              List.of(
                  DynamicPrivilege.SYSTEM_VARIABLES_ADMIN,
                  DynamicPrivilege.SESSION_VARIABLES_ADMIN,
                  DynamicPrivilege.REPLICATION_APPLIER),
              "SUPER, SYSTEM_VARIABLES_ADMIN, SESSION_VARIABLES_ADMIN or REPLICATION_APPLIER");
      case FILE -> new Need.Global(Privilege.bits(Privilege.FILE), List.of(), "FILE");
    };
  }
}
