package io.alrai.cn.command;

import java.util.Locale;
import java.util.Set;

/** The schemas that every mysqld has. */
public final class SystemSchemas {
  private static final Set<String> NAMES =
      Set.of("information_schema", "mysql", "performance_schema", "sys");

  private SystemSchemas() {}

  /** Whether a name is one of them; information_schema in any case. */
  public static boolean isOne(String name) {
    return NAMES.contains(name.toLowerCase(Locale.ROOT));
  }
}
