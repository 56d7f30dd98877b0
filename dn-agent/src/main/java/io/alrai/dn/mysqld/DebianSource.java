package io.alrai.dn.mysqld;

import java.nio.file.Path;

/**
 * Where MySQL's packages come from and with what they are fetched.
 *
 * @param mirror a Debian archive, {@code http://deb.debian.org/debian} for example; what comes from
 *     it is checked against the archive's signature
 * @param keyring the keys that sign Debian's archive
 * @param aptGet resolves, downloads and checks
 * @param dpkgDeb unpacks
 */
public record DebianSource(String mirror, Path keyring, Path aptGet, Path dpkgDeb) {

  /** The usual programs, and this mirror. */
  public static DebianSource of(String mirror) {
    return new DebianSource(
        mirror,
        Path.of("/usr/share/keyrings/debian-archive-keyring.gpg"),
        Path.of("/usr/bin/apt-get"),
        Path.of("/usr/bin/dpkg-deb"));
  }
}
