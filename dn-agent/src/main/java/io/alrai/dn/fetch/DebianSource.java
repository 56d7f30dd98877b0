package io.alrai.dn.fetch;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Where packages come from and what is trusted.
 *
 * @param mirrors of one archive, tried in this order: addresses by http, https or file
 * @param codename the suite, {@code sid} for example
 * @param keys sign the archive's lists
 * @param architecture of this machine as the JVM says it, {@code amd64} or {@code aarch64}
 * @param proxies environment variables that may name proxies
 */
public record DebianSource(
    List<String> mirrors,
    String codename,
    TrustedKeys keys,
    String architecture,
    Map<String, String> proxies) {
  private static final Map<String, String> NAMES = Map.of("amd64", "amd64", "aarch64", "arm64");

  /** Copies what it is given. */
  public DebianSource {
    mirrors = List.copyOf(mirrors);
    proxies = Map.copyOf(proxies);
  }

  /**
   * Debian unstable for this machine.
   *
   * @param mirrors separated by blanks or commas
   * @param environment may name proxies
   */
  public static DebianSource of(String mirrors, Map<String, String> environment) {
    return new DebianSource(
        Arrays.stream(mirrors.strip().split("[\\s,]+", -1)).toList(),
        "sid",
        TrustedKeys.ofDebian(),
        System.getProperty("os.arch", "").toLowerCase(Locale.ROOT),
        environment);
  }

  /**
   * Debian's name of the architecture.
   *
   * @throws FetchException when its packages do not run on this machine
   */
  String debianArchitecture() throws FetchException {
    String name = NAMES.get(architecture);
    if (name == null || !System.getProperty("os.name", "").equals("Linux")) {
      throw new FetchException(
          "there are packages of MySQL for Linux on x86-64 and arm64 only, not for "
              + System.getProperty("os.name")
              + " on "
              + architecture);
    }
    return name;
  }
}
