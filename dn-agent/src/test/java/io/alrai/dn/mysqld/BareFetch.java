package io.alrai.dn.mysqld;

import io.alrai.dn.fetch.DebianSource;
import io.alrai.dn.fetch.TrustedKeys;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Fetches a server, in a process of its own: cache directory, mirror and file of keys. */
final class BareFetch {
  private BareFetch() {}

  public static void main(String[] arguments) throws IOException {
    try (InputStream keys = Files.newInputStream(Path.of(arguments[2]))) {
      DebianSource source =
          new DebianSource(
              List.of(arguments[1]),
              "sid",
              TrustedKeys.read(keys),
              System.getProperty("os.arch"),
              Map.of());
      MysqlSearch search =
          new MysqlSearch(Optional.empty(), List.of(), Path.of(arguments[0]), true, source);
      System.out.println(MysqlInstallations.find(search, InstallProgress.silent()));
    } catch (MysqldException e) {
      System.out.println(e.sentence());
      System.exit(1);
    }
  }
}
