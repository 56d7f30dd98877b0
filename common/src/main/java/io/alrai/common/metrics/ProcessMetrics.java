package io.alrai.common.metrics;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * What is measured of every process: itself and its JVM, by the names that Prometheus' own clients
 * use. Registered where somebody may ask only, as the JVM's beans cost a start some milliseconds.
 */
public final class ProcessMetrics {
  private static final double MILLIS = 1e3;
  private static final Path STATUS = Path.of("/proc/self/status");

  private ProcessMetrics() {}

  /** Measures the process from now on. */
  static void register(Metrics metrics) {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix) {
      metrics.counted(Metric.PROCESS_CPU, List.of(), unix::getProcessCpuTime);
      metrics.now(Metric.PROCESS_FDS, unix::getOpenFileDescriptorCount);
      metrics.now(Metric.PROCESS_FDS_MOST, unix::getMaxFileDescriptorCount);
    }
    metrics.now(
        Metric.PROCESS_START, () -> ManagementFactory.getRuntimeMXBean().getStartTime() / MILLIS);
    metrics.now(Metric.PROCESS_MEMORY, ProcessMetrics::residentBytes);
    memory(metrics, "heap", ManagementFactory.getMemoryMXBean()::getHeapMemoryUsage);
    memory(metrics, "nonheap", ManagementFactory.getMemoryMXBean()::getNonHeapMemoryUsage);
    metrics.now(Metric.JVM_THREADS, () -> ManagementFactory.getThreadMXBean().getThreadCount());
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      List<String> labels = List.of("gc", collector.getName());
      metrics.counted(Metric.JVM_GC_COUNT, labels, collector::getCollectionCount);
      metrics.counted(
          Metric.JVM_GC_TIME,
          labels,
          () -> TimeUnit.MILLISECONDS.toNanos(collector.getCollectionTime()));
    }
  }

  /** Measures the disk on which a process keeps its data. */
  public static void disk(Metrics metrics, Path data) {
    disk(metrics, () -> data);
  }

  /** As {@link #disk(Metrics, Path)}, of a node whose own directory may be another disk. */
  public static void disk(Metrics metrics, Path data, String node) {
    Path own = data.resolve(node);
    disk(metrics, () -> Files.isDirectory(own) ? own : data);
  }

  private static void disk(Metrics metrics, Supplier<Path> data) {
    metrics.now(Metric.DISK_FREE, () -> data.get().toFile().getUsableSpace());
    metrics.now(Metric.DISK_SIZE, () -> data.get().toFile().getTotalSpace());
  }

  private static void memory(Metrics metrics, String area, Supplier<MemoryUsage> usage) {
    List<String> labels = List.of("area", area);
    metrics.now(Metric.JVM_MEMORY, labels, () -> usage.get().getUsed());
    metrics.now(Metric.JVM_MEMORY_MOST, labels, () -> usage.get().getMax());
  }

  private static double residentBytes() {
    try {
      return Files.readAllLines(STATUS).stream()
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
          .findFirst()
          .orElse(0);
    } catch (IOException notLinux) {
      return Double.NaN;
    }
  }
}
