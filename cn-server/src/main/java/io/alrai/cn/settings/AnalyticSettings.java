package io.alrai.cn.settings;

import com.sun.management.OperatingSystemMXBean;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The global system variables that say what analytical work of a CN may have.
 *
 * @param isolation {@value #ISOLATION}: whether it gives way to all other work of the machine
 * @param cpuQuota {@value #CPU_QUOTA}: at most, in hundredths of one processor; 0: no limit
 * @param timeSlice {@value #TIME_SLICE}: milliseconds that a task runs at most before others may
 * @param memoryLimit {@value #MEMORY_LIMIT}: bytes off the heap of all its queries
 * @param queryMemoryLimit {@value #QUERY_MEMORY_LIMIT}: bytes of them that one query may have
 * @param spillLimit {@value #SPILL_LIMIT}: bytes on disk that one query may have beside these; 0:
 *     queries do not spill
 */
public record AnalyticSettings(
    boolean isolation,
    long cpuQuota,
    long timeSlice,
    long memoryLimit,
    long queryMemoryLimit,
    long spillLimit) {
  /** ON or OFF. */
  public static final String ISOLATION = "ap_isolation";

  /** Per cent of one processor. */
  public static final String CPU_QUOTA = "ap_cpu_quota";

  /** Milliseconds. */
  public static final String TIME_SLICE = "ap_time_slice";

  /** Bytes. */
  public static final String MEMORY_LIMIT = "ap_memory_limit";

  /** Bytes. */
  public static final String QUERY_MEMORY_LIMIT = "ap_query_memory_limit";

  /** Bytes. */
  public static final String SPILL_LIMIT = "ap_spill_limit";

  private static final Set<String> NAMES =
      Set.of(ISOLATION, CPU_QUOTA, TIME_SLICE, MEMORY_LIMIT, QUERY_MEMORY_LIMIT, SPILL_LIMIT);
  private static final long STANDARD_SPILL = 16L << 30;
  private static final long LEAST_MEMORY = 16L << 20;
  private static final long MOST_SLICE_MILLIS = 500;
  private static final long LEAST_SLICE_MILLIS = 5;
  private static final int PERCENT = 100;

  /**
   * Isolated, without a quota, an eighth of the machine's memory, 512 MiB of it and 16 GiB of disk
   * for one query.
   */
  public static AnalyticSettings standard() {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    long memory = Math.max(LEAST_MEMORY, system.getTotalMemorySize() / 8);
    return new AnalyticSettings(true, 0, MOST_SLICE_MILLIS, memory, 512L << 20, STANDARD_SPILL);
  }

  /** Whether a variable is one of these; its name in small letters. */
  public static boolean isOne(String name) {
    return NAMES.contains(name);
  }

  /** Values as SHOW VARIABLES has them. */
  public Map<String, String> texts() {
    Map<String, String> texts = new TreeMap<>();
    texts.put(ISOLATION, isolation ? "ON" : "OFF");
    texts.put(CPU_QUOTA, Long.toString(cpuQuota));
    texts.put(TIME_SLICE, Long.toString(timeSlice));
    texts.put(MEMORY_LIMIT, Long.toString(memoryLimit));
    texts.put(QUERY_MEMORY_LIMIT, Long.toString(queryMemoryLimit));
    texts.put(SPILL_LIMIT, Long.toString(spillLimit));
    return texts;
  }

  /** The number that {@code SELECT @@name} shows. */
  public long number(String name) {
    return switch (name) {
      case ISOLATION -> isolation ? 1 : 0;
      case CPU_QUOTA -> cpuQuota;
      case TIME_SLICE -> timeSlice;
      case MEMORY_LIMIT -> memoryLimit;
      case QUERY_MEMORY_LIMIT -> queryMemoryLimit;
      case SPILL_LIMIT -> spillLimit;
      default -> throw new IllegalArgumentException(name);
    };
  }

  /**
   * A copy with another value of one variable.
   *
   * @throws AlraiException 1231 for a value that it cannot have, 1232 for one that is no number
   */
  public AnalyticSettings with(String name, String value) {
    return switch (name) {
      case ISOLATION ->
          new AnalyticSettings(
              isOn(value), cpuQuota, timeSlice, memoryLimit, queryMemoryLimit, spillLimit);
      case CPU_QUOTA -> {
        long most = (long) PERCENT * Runtime.getRuntime().availableProcessors();
        long quota = within(name, value, 0, most);
        yield new AnalyticSettings(
            isolation, quota, timeSlice, memoryLimit, queryMemoryLimit, spillLimit);
      }
      case TIME_SLICE -> {
        long slice = within(name, value, LEAST_SLICE_MILLIS, MOST_SLICE_MILLIS);
        yield new AnalyticSettings(
            isolation, cpuQuota, slice, memoryLimit, queryMemoryLimit, spillLimit);
      }
      case MEMORY_LIMIT -> {
        long limit = within(name, value, LEAST_MEMORY, Long.MAX_VALUE);
        yield new AnalyticSettings(
            isolation, cpuQuota, timeSlice, limit, queryMemoryLimit, spillLimit);
      }
      case QUERY_MEMORY_LIMIT -> {
        long limit = within(name, value, LEAST_MEMORY, Long.MAX_VALUE);
        yield new AnalyticSettings(isolation, cpuQuota, timeSlice, memoryLimit, limit, spillLimit);
      }
      case SPILL_LIMIT -> {
        long limit = within(name, value, 0, Long.MAX_VALUE);
        yield new AnalyticSettings(
            isolation, cpuQuota, timeSlice, memoryLimit, queryMemoryLimit, limit);
      }
      default -> throw new IllegalArgumentException(name);
    };
  }

  private static boolean isOn(String value) {
    return switch (value.toUpperCase(Locale.ROOT)) {
      case "ON", "1", "TRUE" -> true;
      case "OFF", "0", "FALSE" -> false;
      default -> throw wrong(ISOLATION, value, "it is ON or OFF");
    };
  }

  private static long number(String name, String value) {
    try {
      return Long.parseLong(value.strip());
    } catch (NumberFormatException e) {
      throw new AlraiException(
          ErrorCode.ER_WRONG_TYPE_FOR_VAR, "Incorrect argument type to variable '" + name + "'");
    }
  }

  /**
   * A number within bounds.
   *
   * @throws AlraiException 1231 for one that is not, 1232 for what is no number
   */
  public static long within(String name, String value, long least, long most) {
    long number = number(name, value);
    if (number < least || number > most) {
      throw wrong(
          name,
          Long.toString(number),
          most == Long.MAX_VALUE ? "it is at least " + least : "it is " + least + " to " + most);
    }
    return number;
  }

  private static AlraiException wrong(String name, String value, String reason) {
    return new AlraiException(
        ErrorCode.ER_WRONG_VALUE_FOR_VAR,
        "Variable '" + name + "' can't be set to the value of '" + value + "'; " + reason);
  }
}
