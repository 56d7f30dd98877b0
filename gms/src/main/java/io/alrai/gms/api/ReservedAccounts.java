package io.alrai.gms.api;

import java.util.Set;

/**
 * Names of accounts that the mysqlds have for themselves and for Alrai, at any host: a mysqld runs
 * views and routines of a definer in its account of that name, so nobody else may be called so.
 */
public final class ReservedAccounts {
  private static final Set<String> NAMES =
      Set.of(
          "alrai",
          "alrai_admin",
          "alrai_agent",
          "alrai_data",
          "alrai_clone",
          "alrai_kill",
          "alrai_meta",
          "mysql.infoschema",
          "mysql.session",
          "mysql.sys");

  private ReservedAccounts() {}

  /** Whether a user's name is one of them; user names have a case. */
  public static boolean has(String user) {
    return NAMES.contains(user);
  }
}
