package io.alrai.testing;

import io.alrai.common.net.ListenPorts;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Free ports of this machine. */
public final class Ports {
  private Ports() {}

  /** A port that was free a moment ago. */
  public static int free() {
    try {
      return ListenPorts.free();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
