package io.alrai.optimizer.api;

import io.alrai.gms.api.CclRule;
import java.util.List;

/** Statements about the rules that bound how many statements run at a time. */
public sealed interface CclStatement {
  /** CREATE CCL_RULE; the time of the rule is not said yet. */
  record Create(CclRule rule, boolean ifNotExists) implements CclStatement {}

  /** DROP CCL_RULE name, .. */
  record Drop(List<String> names, boolean ifExists) implements CclStatement {
    public Drop {
      names = List.copyOf(names);
    }
  }

  /** CLEAR CCL_RULES: drops all. */
  record Clear() implements CclStatement {}

  /**
   * SHOW CCL_RULES, SHOW CCL_RULE name, ..
   *
   * @param names empty for all
   */
  record Show(List<String> names) implements CclStatement {
    public Show {
      names = List.copyOf(names);
    }
  }
}
