package io.alrai.dn.mysqld;

import io.alrai.dn.mysqld.MysqldException.Reason;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds a MySQL server, or fetches one. Blocking; any thread, any number of processes. */
public final class MysqlInstallations {
  private MysqlInstallations() {}

  /**
   * The configured server; else the first fit one of the directories; else the fetched one in the
   * cache; else, when allowed, one fetched now.
   *
   * @throws MysqldException UNSUITABLE when the configured one is not fit; NOT_FOUND when there is
   *     none, naming what was passed over and why; or what fetching says
   */
  public static MysqlInstallation find(MysqlSearch search, InstallProgress progress) {
    if (search.configured().isPresent()) {
      return MysqlInstallation.of(program(search.configured().get()));
    }
    List<String> passedOver = new ArrayList<>();
    for (Path directory : search.directories()) {
      Optional<MysqlInstallation> found = fit(directory.resolve("mysqld"), passedOver);
      if (found.isPresent()) {
        return found.get();
      }
    }
    MysqlFetch fetch = new MysqlFetch(search.cacheDirectory(), search.source());
    Optional<MysqlInstallation> cached = fit(fetch.mysqld(), passedOver);
    if (cached.isPresent()) {
      return cached.get();
    }
    passedOver.forEach(sentence -> progress.step("passed over: " + sentence));
    if (!search.mayFetch()) {
      throw new MysqldException(
          Reason.NOT_FOUND,
          "no MySQL server of at least "
              + MysqlVersion.OLDEST
              + " found, and fetching one is switched off; install one or set ALRAI_MYSQLD"
              + (passedOver.isEmpty() ? "" : "; passed over: " + String.join("; ", passedOver)));
    }
    return fetch.fetch(progress);
  }

  private static Path program(Path configured) {
    return Files.isDirectory(configured) ? configured.resolve("bin/mysqld") : configured;
  }

  private static Optional<MysqlInstallation> fit(Path program, List<String> passedOver) {
    if (!Files.isExecutable(program)) {
      return Optional.empty();
    }
    try {
      return Optional.of(MysqlInstallation.of(program));
    } catch (MysqldException e) {
      passedOver.add(e.sentence());
      return Optional.empty();
    }
  }
}
