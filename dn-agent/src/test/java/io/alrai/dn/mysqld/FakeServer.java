package io.alrai.dn.mysqld;

import io.alrai.dn.fetch.TestArchive;
import io.alrai.dn.fetch.TestPackage;
import java.io.IOException;

/**
 * Packages as those of MySQL. Their mysqld is no program but looks like one; the loader that runs
 * it is a script.
 */
final class FakeServer {
  static final String ELF = "\u007fELF";

  private FakeServer() {}

  /** A loader under which mysqld tells this version. */
  static String saying(String version) {
    return "echo \"mysqld  Ver " + version + " for Linux on x86_64\"\n";
  }

  /** Into an archive, which is published. */
  static void publish(TestArchive archive, String loader) throws IOException {
    archive
        .add(
            new TestPackage("mysql-server-core")
                .field("Depends: libc6, mysql-common")
                .file("./usr/sbin/mysqld", 0755, ELF))
        .add(
            new TestPackage("mysql-client-core")
                .field("Depends: libc6")
                .file("./usr/bin/mysql", 0755, ELF)
                .file("./usr/bin/mysqlhotcopy", 0755, "#!/usr/bin/perl"))
        .add(new TestPackage("mysql-common").file("./etc/mysql/my.cnf", 0644, ""))
        .add(
            new TestPackage("libc6")
                .file("./usr/lib/x86_64-linux-gnu/ld.so", 0755, "#!/bin/sh\n" + loader)
                .link("./usr/lib64/ld-linux-x86-64.so.2", "../lib/x86_64-linux-gnu/ld.so"))
        .publish();
  }
}
