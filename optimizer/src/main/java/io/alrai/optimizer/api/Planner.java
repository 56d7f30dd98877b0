package io.alrai.optimizer.api;

import io.alrai.gms.api.Catalog;

/** From a statement's text to a plan. Implementations are thread-safe and keep no state. */
public interface Planner {
  /**
   * Plans one statement.
   *
   * @param statement the shaped text
   * @param context names and settings
   * @throws io.alrai.common.error.AlraiException with MySQL's error: syntax (1064), unknown table
   *     (1146), no database selected (1046), or what cannot be supported (1235), with a sentence
   *     that says what to do instead
   */
  Planned plan(ShapedStatement statement, Context context);

  /**
   * What a statement needs of the account that sends it. Looks at nothing but names, so that it
   * tells an account nothing of what it may not see: tables need not be there.
   *
   * @throws io.alrai.common.error.AlraiException where {@link #plan} would, for the syntax
   */
  Needs needs(ShapedStatement statement, Context context);

  /**
   * What names mean.
   *
   * @param catalog the newest one
   * @param currentSchema the session's schema; empty for none
   * @param ansiQuotes whether {@code "x"} is an identifier
   * @param noBackslashEscapes whether a backslash in a string is an ordinary character
   */
  record Context(
      Catalog catalog, String currentSchema, boolean ansiQuotes, boolean noBackslashEscapes) {}
}
