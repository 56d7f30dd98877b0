package io.alrai.optimizer.api;

import io.alrai.optimizer.api.DdlStatement.UserName;
import java.util.Optional;

/** What is to become of a procedure or a function. */
public sealed interface RoutineChange {
  /**
   * CREATE PROCEDURE.
   *
   * @param text the statement from its word PROCEDURE on
   * @param parameters what stands between the parentheses after the name
   * @param body the statement after the characteristics
   * @param ofInvoker whether it says SQL SECURITY INVOKER
   */
  record CreateProcedure(
      boolean ifNotExists,
      Optional<UserName> definer,
      String text,
      String parameters,
      String body,
      boolean ofInvoker)
      implements RoutineChange {}

  /**
   * CREATE FUNCTION.
   *
   * @param text the statement from its word FUNCTION on
   * @param parameters what stands between the parentheses after the name
   * @param returns the type after RETURNS
   * @param body the statement after the characteristics
   * @param local what the body names, if it uses nothing that only the client's session has
   * @param ofInvoker whether it says SQL SECURITY INVOKER
   */
  record CreateFunction(
      boolean ifNotExists,
      Optional<UserName> definer,
      String text,
      String parameters,
      String returns,
      String body,
      Optional<TriggerBody> local,
      boolean ofInvoker)
      implements RoutineChange {}

  /**
   * ALTER with its characteristics as written.
   *
   * @param ofInvoker whether they have SQL SECURITY INVOKER
   */
  record Alter(String characteristics, boolean ofInvoker) implements RoutineChange {}

  /** DROP. */
  record Drop(boolean ifExists) implements RoutineChange {}
}
