package io.alrai.cn.settings;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which reads go to members of DNs that follow (docs/design/0081), by system variables that
 * sessions have and that are global as the default of those that begin.
 *
 * @param leaderWeight {@value #LEADER_WEIGHT}: per cent of the reads that go to leaders
 * @param consistent {@value #CONSISTENT}: whether the others see one snapshot, with all that their
 *     session has seen; else each sees whatever its member has
 */
public record ReplicaSettings(int leaderWeight, boolean consistent) {
  /** Per cent. */
  public static final String LEADER_WEIGHT = "master_read_weight";

  /** ON or OFF. */
  public static final String CONSISTENT = "enable_consistent_replica_read";

  private static final int ALL = 100;
  private static final Set<String> NAMES = Set.of(LEADER_WEIGHT, CONSISTENT);

  /** All reads go to leaders. */
  public static ReplicaSettings standard() {
    return new ReplicaSettings(ALL, true);
  }

  /** Whether a variable is one of these; its name in small letters. */
  public static boolean isOne(String name) {
    return NAMES.contains(name);
  }

  /** Values as SHOW VARIABLES has them. */
  public Map<String, String> texts() {
    Map<String, String> texts = new TreeMap<>();
    texts.put(LEADER_WEIGHT, Integer.toString(leaderWeight));
    texts.put(CONSISTENT, consistent ? "ON" : "OFF");
    return texts;
  }

  /** The number that {@code SELECT @@name} shows. */
  public int number(String name) {
    return switch (name) {
      case LEADER_WEIGHT -> leaderWeight;
      case CONSISTENT -> consistent ? 1 : 0;
      default -> throw new IllegalArgumentException(name);
    };
  }

  /**
   * A copy with another value of one variable.
   *
   * @throws AlraiException 1231 for a value that it cannot have, 1232 for one that is no number
   */
  public ReplicaSettings with(String name, String value) {
    return switch (name) {
      case LEADER_WEIGHT -> new ReplicaSettings(weight(value), consistent);
      case CONSISTENT -> new ReplicaSettings(leaderWeight, isOn(value));
      default -> throw new IllegalArgumentException(name);
    };
  }

  private static int weight(String value) {
    long number;
    try {
      number = Long.parseLong(value.strip());
    } catch (NumberFormatException e) {
      throw new AlraiException(
          ErrorCode.ER_WRONG_TYPE_FOR_VAR,
          "Incorrect argument type to variable '" + LEADER_WEIGHT + "'");
    }
    if (number < 0 || number > ALL) {
      throw wrong(LEADER_WEIGHT, value, "it is 0 to " + ALL);
    }
    return (int) number;
  }

  private static boolean isOn(String value) {
    return switch (value.toUpperCase(Locale.ROOT)) {
      case "ON", "1", "TRUE" -> true;
      case "OFF", "0", "FALSE" -> false;
      default -> throw wrong(CONSISTENT, value, "it is ON or OFF");
    };
  }

  private static AlraiException wrong(String name, String value, String reason) {
    return new AlraiException(
        ErrorCode.ER_WRONG_VALUE_FOR_VAR,
        "Variable '" + name + "' can't be set to the value of '" + value + "'; " + reason);
  }
}
