package io.alrai.common.thread;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What the processors of a machine have done since it began (proc_stat(5)).
 *
 * @param processors how many there are
 * @param idle of them all, also while a disk was waited for; in ticks
 * @param all of them all, also what a host gave to others; in the same ticks
 */
public record ProcessorTimes(int processors, long idle, long all) {
  private static final Path KERNEL = Path.of("/proc/stat");
  private static final String PROCESSOR = "cpu";

  /** Where user, nice, system, idle, iowait, irq, softirq and steal come after the name. */
  private static final int IDLE = 4;

  private static final int WAITS = 5;
  private static final int LAST = 8;

  /** Those of this machine now; empty where no Linux tells them. */
  public static Optional<ProcessorTimes> now() {
    try {
      return of(Files.readString(KERNEL));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Out of the kernel's text; empty if that is another one. */
  static Optional<ProcessorTimes> of(String text) {
    int processors = 0;
    long idle = 0;
    long all = 0;
    for (String line : text.lines().takeWhile(one -> one.startsWith(PROCESSOR)).toList()) {
      String[] words = line.split(" +");
      if (!words[0].equals(PROCESSOR)) {
        processors++;
        continue;
      }
      if (words.length <= LAST) {
        return Optional.empty();
      }
      for (int i = 1; i <= LAST; i++) {
        long ticks = Long.parseLong(words[i]);
        all += ticks;
        idle += i == IDLE || i == WAITS ? ticks : 0;
      }
    }
    return processors == 0 || all == 0
        ? Optional.empty()
        : Optional.of(new ProcessorTimes(processors, idle, all));
  }
}
