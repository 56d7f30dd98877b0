package io.alrai.gms.api;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A stored procedure, which a CN interprets. What SHOW and information_schema show of it is in the
 * shadow schemas; this is what a CALL needs.
 *
 * @param schema its schema's name, which is the current one while it runs
 * @param name unique in its schema without regard to case
 * @param parameters what stands between the parentheses after its name, as the client wrote it
 * @param body the statement after its characteristics, as the client wrote it
 * @param definer the account {@code user@host} in whose name it runs
 * @param ofInvoker whether it runs with the rights of its caller; else with its definer's
 * @param settings those of {@link #SETTINGS} of the session that made it, as SQL literals by name,
 *     where they were not the defaults; the body is read and run under them
 * @param schemaCollation the collation of strings that say none
 */
public record Procedure(
    String schema,
    String name,
    String parameters,
    String body,
    String definer,
    boolean ofInvoker,
    Map<String, String> settings,
    String schemaCollation) {
  /** The session variables that a procedure keeps from the session that made it. */
  public static final List<String> SETTINGS =
      List.of(
          "sql_mode", "character_set_client", "character_set_connection", "collation_connection");

  public Procedure {
    settings = Map.copyOf(settings);
  }

  /** By what it is found in its schema. */
  public String key() {
    return key(name);
  }

  /** A copy with other rights. */
  public Procedure withSecurity(boolean invoker) {
    return new Procedure(
        schema, name, parameters, body, definer, invoker, settings, schemaCollation);
  }

  /** A name in the form in which names are compared. */
  public static String key(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
