package io.alrai.gms.api;

import io.alrai.gms.api.Privilege.Level;
import java.util.Arrays;
import java.util.Optional;

/** What can be called; of one name in a schema there may be one of each. */
public enum RoutineKind {
  PROCEDURE(Level.PROCEDURE),
  FUNCTION(Level.FUNCTION);

  private final Level level;

  RoutineKind(Level level) {
    this.level = level;
  }

  /** The level of privileges on single routines. */
  public Level level() {
    return level;
  }

  /** The kind whose single routines are at a level; empty where that is of something else. */
  public static Optional<RoutineKind> at(Level level) {
    return Arrays.stream(values()).filter(kind -> kind.level == level).findFirst();
  }

  /** What MySQL says of a name that no routine has. */
  public String gone(String schema, String name) {
    return name() + " " + schema + "." + name + " does not exist";
  }
}
