package io.alrai.cn.launch;

import java.util.ArrayList;
import java.util.List;

/**
 * Options of the JVMs of roles that a process keeps. They are those of its own JVM but what stands
 * between two marks, which is for itself alone. The launcher, {@code alrai}, hands on what roles
 * have and this JVM has not: their cache of classes, and what makes a JVM small that does little.
 */
final class RoleOptions {
  /** A JVM that has no cache itself has this, and starts others with it. */
  private static final String CACHE = "-Dalrai.roles.cache=";

  private static final String WITH_CACHE = "-Dalrai.roles.cacheOptions=";
  private static final String SMALL = "-Dalrai.roles.small=";
  private static final String OWN = "-Dalrai.own=begin";
  private static final String OWN_END = "-Dalrai.own=end";
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
    List<String> roles = new ArrayList<>();
    boolean isOwn = false;
    for (String option : options) {
      if (option.equals(OWN) || option.equals(OWN_END)) {
        isOwn = option.equals(OWN);
      } else if (isOwn) {
        continue;
      } else if (option.startsWith(CACHE)) {
        roles.add(option.substring(CACHE.length()));
      } else if (option.startsWith(WITH_CACHE)) {
        roles.addAll(words(option.substring(WITH_CACHE.length())));
      } else if (!option.startsWith(SMALL)) {
        roles.add(option);
      } else if (role.equals(GMS)) {
        roles.addAll(words(option.substring(SMALL.length())));
      }
    }
    return ClassCache.fitting(roles, classPath);
  }

  private static List<String> words(String text) {
    return List.of(text.split(" +"));
  }
}
