package io.alrai.cn.launch;

import io.alrai.common.file.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * What a cluster that was made in one process has in its directory, when it is to be one of
 * processes: its DNs are where they were, and its catalog is moved from {@code gms} to {@code
 * gms-1}. Stateless.
 */
public final class OneProcess {
  private static final String CATALOG = "gms";
  private static final String NODE = "gms-1";

  private OneProcess() {}

  /** Whether a cluster was made in one process, and is not one of processes yet. */
  public static boolean is(Path directory) {
    return Files.isDirectory(directory.resolve(CATALOG)) && !Files.exists(directory.resolve(NODE));
  }

  /** How many DNs have data there. */
  static int dns(Path directory) {
    int count = 0;
    while (Files.isDirectory(directory.resolve("dn-" + (count + 1)).resolve("data"))) {
      count++;
    }
    return count;
  }

  /** Its GMS is a process from now on; once, while nothing of it runs. */
  static void move(Path directory) throws IOException {
    Files.move(directory.resolve(CATALOG), directory.resolve(NODE), StandardCopyOption.ATOMIC_MOVE);
    DurableFiles.force(directory);
  }
}
