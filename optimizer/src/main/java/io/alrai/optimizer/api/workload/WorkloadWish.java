package io.alrai.optimizer.api.workload;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a client says about a statement's workload: by a hint, or by a session variable. */
public final class WorkloadWish {
  private static final Pattern HINT =
      Pattern.compile(
          "^[\\s(]*(?:SELECT\\s*)?/\\*\\+(?:(?!\\*/).)*?"
              + "\\bWORKLOAD_TYPE\\s*(?:\\(\\s*|=\\s*)(AP|TP)\\b",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private WorkloadWish() {}

  /**
   * The wish of the hint {@code workload_type(AP)} after the statement's first SELECT, or {@code
   * TDDL:workload_type=AP} there or in front of it.
   */
  public static Optional<Workload> ofHint(String text) {
    if (!text.contains("/*+")) {
      return Optional.empty();
    }
    Matcher hint = HINT.matcher(text);
    return hint.find()
        ? Optional.of(Workload.valueOf(hint.group(1).toUpperCase(Locale.ROOT)))
        : Optional.empty();
  }

  /** The wish of the variable's value; empty for AUTO and anything else. */
  public static Optional<Workload> ofVariable(String value) {
    return switch (value.strip().toUpperCase(Locale.ROOT)) {
      case "AP" -> Optional.of(Workload.AP);
      case "TP" -> Optional.of(Workload.TP);
      default -> Optional.empty();
    };
  }
}
