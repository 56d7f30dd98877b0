package io.alrai.e2e.faults;

import io.alrai.e2e.machine.MemberDisk;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** A member's disk that gets full, or stands still, for some seconds. One thread. */
final class DiskFaults {
  private static final int MIB = 1 << 20;
  private static final int SHORTEST_MILLIS = 200;

  private final MemberDisk disk;
  private final Random random;
  private final int longestMillis;

  /** Those of this disk; it stands still for three quarters of the time at most. */
  DiskFaults(MemberDisk disk, Random random, int longestMillis) {
    this.disk = disk;
    this.random = random;
    this.longestMillis = longestMillis;
  }

  /** Leaves no byte, or less than an agent wants to lead with; what was done. */
  String fill() throws IOException, InterruptedException {
    long left = random.nextInt(3) == 0 ? 30L * MIB : 0;
    int millis = SHORTEST_MILLIS + random.nextInt(longestMillis);
    disk.fill(left);
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } finally {
      disk.empty();
    }
    return "the disk of " + disk.member() + " with " + left + " bytes left for " + millis + " ms";
  }

  /** Lets no write end; what was done. */
  String stop() throws IOException, InterruptedException {
    int millis = SHORTEST_MILLIS + random.nextInt(longestMillis * 3 / 4);
    disk.stop();
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } finally {
      disk.goOn();
    }
    return "the disk of " + disk.member() + " for " + millis + " ms";
  }
}
