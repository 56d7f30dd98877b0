package io.alrai.dn.mysqld;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Shell scripts that stand in for programs. */
final class FakeProgram {
  static final String MARIADB =
      "mysqld  Ver 10.11.14-MariaDB-0+deb12u2 for debian-linux-gnu on x86_64 (Debian 12)";
  static final String MYSQL_8_0 =
      "/usr/sbin/mysqld  Ver 8.0.43-0ubuntu0.24.04.1 for Linux on x86_64 ((Ubuntu))";
  static final String MYSQL_8_4 =
      "/usr/sbin/mysqld  Ver 8.4.6 for Linux on x86_64 (MySQL Community Server - GPL)";

  private FakeProgram() {}

  /** A script with this body; its directory is made. */
  static Path script(Path file, String body) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file, "#!/bin/sh\n" + body + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return file;
  }

  /** One that prints this line whatever it is asked. */
  static Path printing(Path file, String line) throws IOException {
    return script(file, "echo '" + line + "'");
  }
}
