package io.alrai.cn.ddl.step;

import io.alrai.cn.ddl.job.DdlOutcome;
import io.alrai.cn.ddl.job.DdlSession;
import io.alrai.cn.ddl.job.NameRules;
import io.alrai.cn.ddl.job.SqlWarning;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.DdlJob.Target;
import io.alrai.optimizer.api.AdminStatement.TableName;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The names that DROP TABLE and DROP VIEW are given, and what is said of those that are not there.
 */
final class DroppedNames {
  private DroppedNames() {}

  /**
   * The names with their schemas, as they were written.
   *
   * @throws AlraiException 1066 for one that comes twice
   */
  static List<Target> of(List<TableName> names, DdlSession session) {
    Set<Target> distinct = new LinkedHashSet<>();
    for (TableName name : names) {
      if (!distinct.add(new Target(NameRules.schemaOf(name, session), name.table()))) {
        throw new AlraiException(
            ErrorCode.ER_NONUNIQ_TABLE, "Not unique table/alias: '" + name.table() + "'");
      }
    }
    return new ArrayList<>(distinct);
  }

  /**
   * The outcome where none of the names is there.
   *
   * @throws AlraiException 1051 when one is missing and that is not allowed
   */
  static Optional<DdlOutcome> check(List<Target> names, List<Target> missing, boolean ifExists) {
    if (!missing.isEmpty() && !ifExists) {
      throw new AlraiException(
          ErrorCode.ER_BAD_TABLE_ERROR,
          missing.stream()
              .map(DroppedNames::text)
              .collect(Collectors.joining(",", "Unknown table '", "'")));
    }
    return missing.size() == names.size()
        ? Optional.of(DdlOutcome.with(notes(missing)))
        : Optional.empty();
  }

  /** A note for each that is missing. */
  static List<SqlWarning> notes(List<Target> missing) {
    return missing.stream()
        .map(name ->
            SqlWarning.note(
                ErrorCode.ER_BAD_TABLE_ERROR.errno(), "Unknown table '" + text(name) + "'"))
        .toList();
  }

  /** Schema and name with a dot between. */
  static String text(Target name) {
    return name.schema() + "." + name.table();
  }
}
