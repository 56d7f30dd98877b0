package io.alrai.common.net;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/** The name of the machine, or the container, that this process runs on. Thread-safe. */
public final class HostName {
  private static final Path OF_KERNEL = Path.of("/proc/sys/kernel/hostname");

  private HostName() {}

  /** As {@code gethostname} of C has it; {@code localhost} where that is not to be had. */
  public static String own() {
    return Once.NAME;
  }

  /** Asked for once, as a name server may be slow where the kernel does not say it. */
  private static final class Once {
    private static final String NAME = find();

    private static String find() {
      try {
        return Files.isReadable(OF_KERNEL)
            ? Files.readString(OF_KERNEL).strip()
            : InetAddress.getLocalHost().getHostName();
      } catch (IOException e) {
        return "localhost";
      }
    }
  }
}
