package io.alrai.cn.ddl.job;

import io.alrai.gms.api.Account;
import io.alrai.gms.api.DdlJob;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What a DDL statement needs to know of the session that sent it.
 *
 * @param currentSchema empty for none
 * @param settings session variables that differ from a fresh connection's, name to SQL literal
 * @param user name of the account that is logged in
 * @param host host pattern of that account
 * @param roles keys of those that are active
 */
public record DdlSession(
    String currentSchema,
    Map<String, String> settings,
    String user,
    String host,
    Set<String> roles) {
  private static final String SETTING = "setting.";
  private static final String USER = "account.user";
  private static final String HOST = "account.host";
  private static final String ROLE = "account.role.";

  /** Copies map and set. */
  public DdlSession {
    settings = Map.copyOf(settings);
    roles = Set.copyOf(roles);
  }

  /** The key of the account. */
  public String account() {
    return Account.key(user, host);
  }

  /** Whether double quotes are those of identifiers. */
  public boolean ansiQuotes() {
    String mode = settings.getOrDefault("sql_mode", "").toUpperCase(Locale.ROOT);
    return mode.contains("ANSI");
  }

  /** Whether a backslash in a string is an ordinary character. */
  public boolean isWithoutEscapes() {
    String mode = settings.getOrDefault("sql_mode", "").toUpperCase(Locale.ROOT);
    return mode.contains("NO_BACKSLASH_ESCAPES");
  }

  /** Whether a table gets the engine that its text names, or none. */
  public boolean keepsEngines() {
    String mode = settings.get("sql_mode");
    return mode == null
        || mode.toUpperCase(Locale.ROOT).contains("NO_ENGINE_SUBSTITUTION")
        || mode.toUpperCase(Locale.ROOT).contains("TRADITIONAL");
  }

  /** Whether foreign_key_checks is ON. */
  public boolean checksForeignKeys() {
    String value = settings.getOrDefault("foreign_key_checks", "1");
    return !value.equals("0") && !value.toUpperCase(Locale.ROOT).contains("OFF");
  }

  /** As entries of a job's progress. */
  public Map<String, String> toProgress() {
    Map<String, String> entries = new HashMap<>();
    settings.forEach((name, literal) -> entries.put(SETTING + name, literal));
    entries.put(USER, user);
    entries.put(HOST, host);
    roles.forEach(role -> entries.put(ROLE + role, ""));
    return entries;
  }

  /** The name of the account that sent a job's statement; empty where it is not known any more. */
  public static String userOf(DdlJob job) {
    return job.progress().getOrDefault(USER, "");
  }

  /** Back from a job's progress; older ones have no account, or no roles: none needed them. */
  public static DdlSession fromProgress(String currentSchema, Map<String, String> progress) {
    Map<String, String> settings = new HashMap<>();
    Set<String> roles = new HashSet<>();
    progress.forEach((key, value) -> {
      if (key.startsWith(SETTING)) {
        settings.put(key.substring(SETTING.length()), value);
      } else if (key.startsWith(ROLE)) {
        roles.add(key.substring(ROLE.length()));
      }
    });
    return new DdlSession(
        currentSchema,
        settings,
        progress.getOrDefault(USER, ""),
        progress.getOrDefault(HOST, ""),
        roles);
  }
}
