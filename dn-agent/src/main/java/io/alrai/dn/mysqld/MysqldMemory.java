package io.alrai.dn.mysqld;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * How much memory and log space one mysqld gets. An idle server needs about 150 MB on top of what
 * it has read into its buffer pool.
 *
 * @param bufferPoolBytes InnoDB's cache of pages; reserved at once, used as it fills
 * @param redoLogBytes InnoDB's redo log, allocated on disk at the first start
 * @param maxConnections connections that the server accepts
 */
public record MysqldMemory(long bufferPoolBytes, long redoLogBytes, int maxConnections) {
  /** Bytes of a MiB. */
  private static final long MIB = 1L << 20;

  /** Of some CNs, each with those that keep named locks. */
  private static final int MAX_CONNECTIONS = 1000;

  /** 256 MiB of buffer pool, 256 MiB of redo log, 1000 connections. */
  public static MysqldMemory standard() {
    return new MysqldMemory(256 * MIB, 256 * MIB, MAX_CONNECTIONS);
  }

  /**
   * A buffer pool of an eighth of the machine's memory, shared between its servers, between 64 MiB
   * and 1 GiB each; redo logs of the same size up to 512 MiB.
   *
   * @param machineBytes physical memory
   * @param servers mysqlds on this machine, at least 1
   */
  public static MysqldMemory share(long machineBytes, int servers) {
    long share = machineBytes / 8 / Math.max(1, servers);
    long pool = Math.clamp(share / (64 * MIB) * (64 * MIB), 64 * MIB, 1024 * MIB);
    return new MysqldMemory(pool, Math.min(pool, 512 * MIB), MAX_CONNECTIONS);
  }

  /** The share of this machine, or of the container that this process runs in. */
  public static MysqldMemory shareOfThisMachine(int servers) {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return share(system.getTotalMemorySize(), servers);
  }
}
