package io.alrai.optimizer.api;

/** What can be called; of one name in a schema there may be one of each. */
public enum RoutineKind {
  PROCEDURE,
  FUNCTION;

  /** What MySQL says of a name that no routine has. */
  public String gone(String schema, String name) {
    return name() + " " + schema + "." + name + " does not exist";
  }
}
