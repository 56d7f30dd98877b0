package io.alrai.optimizer.api;

import io.alrai.optimizer.api.DdlStatement.UserName;
import java.util.Optional;

/** What is to become of a procedure. */
public sealed interface ProcedureChange {
  /**
   * CREATE PROCEDURE.
   *
   * @param text the statement from its word PROCEDURE on
   * @param parameters what stands between the parentheses behind the name
   * @param body the statement behind the characteristics
   * @param ofInvoker whether it says SQL SECURITY INVOKER
   */
  record Create(
      boolean ifNotExists,
      Optional<UserName> definer,
      String text,
      String parameters,
      String body,
      boolean ofInvoker)
      implements ProcedureChange {}

  /** ALTER PROCEDURE with its characteristics as written. */
  record Alter(String characteristics) implements ProcedureChange {}

  /** DROP PROCEDURE. */
  record Drop(boolean ifExists) implements ProcedureChange {}
}
