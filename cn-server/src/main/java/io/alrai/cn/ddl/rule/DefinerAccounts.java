package io.alrai.cn.ddl.rule;

import io.alrai.cn.ddl.job.JobRun;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.ReservedAccounts;

/**
 * Accounts of the mysqlds for the definers of views and functions, as a mysqld opens and runs these
 * in their names. Nobody can log in to one; it may do what the shadows' account may.
 */
public final class DefinerAccounts {
  private DefinerAccounts() {}

  /** Makes the one of {@code user@host} on a DN, or leaves it as it is. */
  public static void make(JobRun run, DnId dn, String definer) {
    if (ReservedAccounts.has(Account.userOf(definer))) {
      // an account that an earlier version has made: the mysqld's of that name is another
      throw new AlraiException(
          ErrorCode.ER_CANNOT_USER,
          "Operation CREATE failed for "
              + Account.quoted(definer)
              + " (the name is reserved: RENAME USER, or give another DEFINER)");
    }
    Sql account = TriggerTexts.quoted(definer);
    run.executeCopy(dn, Sql.of("CREATE USER IF NOT EXISTS ").add(account).words(" ACCOUNT LOCK"));
    run.executeCopy(dn, Sql.of("GRANT ").written(run.shadowAccount()).words(" TO ").add(account));
    run.executeCopy(dn, Sql.of("SET DEFAULT ROLE ALL TO ").add(account));
  }
}
