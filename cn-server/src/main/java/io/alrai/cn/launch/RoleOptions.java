package io.alrai.cn.launch;

import java.util.ArrayList;
import java.util.List;

/**
 * Options of the JVMs of roles that a process keeps. They are those of its own JVM up to a mark;
 * what follows that is for itself alone. The launcher, {@code alrai}, hands on what roles have and
 * this JVM has not: their cache of classes, and what makes a JVM small that does little.
 */
final class RoleOptions {
  /** A JVM that has no cache itself has this, and starts others with it. */
  private static final String CACHE = "-Dalrai.roles.cache=";

  private static final String WITH_CACHE = "-Dalrai.roles.cacheOptions=";
  private static final String SMALL = "-Dalrai.roles.small=";
  private static final String END = "-Dalrai.roles.end=true";
  private static final String GMS = "gms";

  private RoleOptions() {}

  /**
   * Options for one JVM.
   *
   * @param options of this JVM
   * @param classPath of the new one
   * @param role its command
   */
  static List<String> of(List<String> options, String classPath, String role) {
    List<String> own = new ArrayList<>();
    for (String option : options) {
      if (option.equals(END)) {
        break;
      }
      if (option.startsWith(CACHE)) {
        own.add(option.substring(CACHE.length()));
      } else if (option.startsWith(WITH_CACHE)) {
        own.addAll(words(option.substring(WITH_CACHE.length())));
      } else if (!option.startsWith(SMALL)) {
        own.add(option);
      } else if (role.equals(GMS)) {
        own.addAll(words(option.substring(SMALL.length())));
      }
    }
    return ClassCache.fitting(own, classPath);
  }

  private static List<String> words(String text) {
    return List.of(text.split(" +"));
  }
}
