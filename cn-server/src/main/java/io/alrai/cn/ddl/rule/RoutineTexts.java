package io.alrai.cn.ddl.rule;

import io.alrai.cn.ddl.job.DdlSession;
import io.alrai.cn.ddl.job.JobRun;
import io.alrai.cn.ddl.job.Place;
import io.alrai.cn.ddl.job.SqlWarning;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.sql.Sql;
import io.alrai.gms.api.Access;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.DdlJob.Target;
import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.RoutineKind;
import io.alrai.optimizer.api.DdlStatement.UserName;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What the jobs of procedures and of functions say alike. */
public final class RoutineTexts {
  private static final long OF_OWNERS = Privilege.bits(Privilege.EXECUTE, Privilege.ALTER_ROUTINE);

  private RoutineTexts() {}

  /** Two routines of one kind and name are not made at the same time. */
  public static Target target(RoutineKind kind, String schema, String name) {
    String word = kind.name().toLowerCase(Locale.ROOT);
    return new Target(schema, word + " " + name.toLowerCase(Locale.ROOT));
  }

  /** The account that a statement means. */
  public static String definer(Optional<UserName> given, DdlSession session) {
    UserName user =
        given
            .filter(name -> !name.equals(UserName.CURRENT))
            .orElse(new UserName(session.user(), session.host()));
    return user.user() + "@" + user.host();
  }

  /** The client's words, with the account that they mean. */
  public static Sql create(String definer, String text) {
    return Sql.of("CREATE DEFINER=").add(TriggerTexts.quoted(definer)).words(" ").written(text);
  }

  /**
   * The account that gets EXECUTE and ALTER ROUTINE on what it makes: the session's, unless it has
   * both anyway or {@code automatic_sp_privileges} is OFF, where it is empty.
   */
  public static String owner(JobRun run, RoutineKind kind, String schema, String name) {
    DdlSession session = run.session();
    Catalog catalog = run.gms().catalog();
    Account account = catalog.accounts().get(session.account());
    if (account == null || !isAutomatic(run)) {
      return "";
    }
    long had = Access.of(account, catalog, session.roles()).on(kind, schema, name);
    return (OF_OWNERS & ~had) == 0 ? "" : account.key();
  }

  /** Whether privileges on a routine come and go with it. */
  public static boolean isAutomatic(JobRun run) {
    return run.query(run.dns().getFirst(), Sql.of("SELECT @@GLOBAL.automatic_sp_privileges"))
        .getFirst()
        .getFirst()
        .equals("1");
  }

  /** What the statement's OK brings where the catalog does not know the definer. */
  public static List<SqlWarning> notes(Catalog catalog, String definer) {
    return catalog.accounts().containsKey(definer)
        ? List.of()
        : List.of(TriggerTexts.unknownDefiner(definer));
  }

  /** A mysqld's warnings but for the one that it does not know the definer. */
  public static List<SqlWarning> withoutDefiner(List<SqlWarning> warnings) {
    return warnings.stream().filter(warning -> !warning.is(ErrorCode.ER_NO_SUCH_USER)).toList();
  }

  /** Takes a routine from a shadow. */
  public static void drop(JobRun run, RoutineKind kind, Place place, String name) {
    run.executeCopy(place, Sql.of("DROP ").word(kind.name()).words(" IF EXISTS ").name(name));
  }

  /** Whether the catalog has it. */
  public static boolean isThere(Catalog catalog, RoutineKind kind, String schema, String name) {
    return switch (kind) {
      case PROCEDURE -> catalog.procedure(schema, name).isPresent();
      case FUNCTION -> catalog.function(schema, name).isPresent();
    };
  }
}
