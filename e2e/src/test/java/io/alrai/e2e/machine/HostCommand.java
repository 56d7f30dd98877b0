package io.alrai.e2e.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Commands of the machine that a test runs on. */
final class HostCommand {
  private HostCommand() {}

  /**
   * Runs it; returns when it has ended.
   *
   * @throws IOException with what it printed, if it failed or is not there
   */
  static void run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      int code = process.waitFor();
      if (code != 0) {
        throw new IOException(
            String.join(" ", command) + " ended with " + code + ": " + printed.strip());
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
