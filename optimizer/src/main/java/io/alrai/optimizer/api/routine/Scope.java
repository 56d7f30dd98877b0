package io.alrai.optimizer.api.routine;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What names mean at a place of a body: what a block declares, and what those around it do. */
final class Scope {
  private final @Nullable Scope around;
  private final Map<String, Integer> variables = new HashMap<>();
  private final Map<String, Integer> cursors = new HashMap<>();
  private final Map<String, Step.Condition> conditions = new HashMap<>();

  /** A scope; without one around it, that of the parameters. */
  Scope(@Nullable Scope around) {
    this.around = around;
  }

  private static String key(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  void variable(String name, int slot) {
    variables.put(key(name), slot);
  }

  void cursor(String name, int number) {
    cursors.put(key(name), number);
  }

  void condition(String name, Step.Condition value) {
    conditions.put(key(name), value);
  }

  Optional<Integer> variable(String name) {
    return find(scope -> scope.variables, name);
  }

  Optional<Integer> cursor(String name) {
    return find(scope -> scope.cursors, name);
  }

  Optional<Step.Condition> condition(String name) {
    return find(scope -> scope.conditions, name);
  }

  /** One of the kinds of things that have names. */
  private interface Kind<T> {
    Map<String, T> in(Scope scope);
  }

  private <T> Optional<T> find(Kind<T> kind, String name) {
    for (Scope scope = this; scope != null; scope = scope.around) {
      T found = kind.in(scope).get(key(name));
      if (found != null) {
        return Optional.of(found);
      }
    }
    return Optional.empty();
  }
}
