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
 * @param delaySeconds {@value #DELAY}: how much a member may lag
 * @param whenDelayed {@value #WHEN_DELAYED}: what becomes of reads where one lags more
 */
public record ReplicaSettings(
    int leaderWeight, boolean consistent, int delaySeconds, WhenDelayed whenDelayed) {
  /** By the number that the variable has. */
  public enum WhenDelayed {
    /** They go there nevertheless. */
    READ,
    /** The leader reads. */
    LEADER,
    /** They fail. */
    REFUSE
  }

  /** Per cent. */
  public static final String LEADER_WEIGHT = "master_read_weight";

  /** ON or OFF. */
  public static final String CONSISTENT = "enable_consistent_replica_read";

  /** Seconds. */
  public static final String DELAY = "storage_delay_threshold";

  /** 0 to 2. */
  public static final String WHEN_DELAYED = "delay_execution_strategy";

  private static final int ALL = 100;
  private static final int MOST_DELAY = 86_400;
  private static final Set<String> NAMES = Set.of(LEADER_WEIGHT, CONSISTENT, DELAY, WHEN_DELAYED);

  /** All reads go to leaders. */
  public static ReplicaSettings standard() {
    return new ReplicaSettings(ALL, true, 3, WhenDelayed.READ);
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
    texts.put(DELAY, Integer.toString(delaySeconds));
    texts.put(WHEN_DELAYED, Integer.toString(whenDelayed.ordinal()));
    return texts;
  }

  /** The number that {@code SELECT @@name} shows. */
  public int number(String name) {
    return switch (name) {
      case LEADER_WEIGHT -> leaderWeight;
      case CONSISTENT -> consistent ? 1 : 0;
      case DELAY -> delaySeconds;
      case WHEN_DELAYED -> whenDelayed.ordinal();
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
      case LEADER_WEIGHT ->
          new ReplicaSettings(number(name, value, ALL), consistent, delaySeconds, whenDelayed);
      case CONSISTENT -> new ReplicaSettings(leaderWeight, isOn(value), delaySeconds, whenDelayed);
      case DELAY ->
          new ReplicaSettings(
              leaderWeight, consistent, number(name, value, MOST_DELAY), whenDelayed);
      case WHEN_DELAYED -> {
        WhenDelayed[] all = WhenDelayed.values();
        int which = number(name, value, all.length - 1);
        yield new ReplicaSettings(leaderWeight, consistent, delaySeconds, all[which]);
      }
      default -> throw new IllegalArgumentException(name);
    };
  }

  private static int number(String name, String value, int most) {
    long number;
    try {
      number = Long.parseLong(value.strip());
    } catch (NumberFormatException e) {
      throw new AlraiException(
          ErrorCode.ER_WRONG_TYPE_FOR_VAR, "Incorrect argument type to variable '" + name + "'");
    }
    if (number < 0 || number > most) {
      throw wrong(name, value, "it is 0 to " + most);
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
