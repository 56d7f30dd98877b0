package io.alrai.dn.mysqld;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.dn.fetch.DebianSource;
import io.alrai.dn.mysqld.MysqldException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MysqlInstallationsTest {
  @TempDir Path temporary;

  private MysqlSearch search(String... directories) {
    return new MysqlSearch(
        Optional.empty(),
        List.of(directories).stream().map(temporary::resolve).toList(),
        temporary.resolve("cache"),
        false,
        DebianSource.of("http://mirror.invalid/debian", Map.of()));
  }

  private static MysqlInstallation find(MysqlSearch search) {
    return MysqlInstallations.find(search, InstallProgress.silent());
  }

  @Test
  void theFirstFitServerOfPathIsTaken() throws IOException {
    FakeProgram.printing(temporary.resolve("a/mysqld"), FakeProgram.MARIADB);
    FakeProgram.printing(temporary.resolve("b/mysqld"), FakeProgram.MYSQL_8_0);
    FakeProgram.printing(temporary.resolve("c/mysqld"), FakeProgram.MYSQL_8_4);
    Path client = FakeProgram.printing(temporary.resolve("c/mysql"), "client");
    MysqlInstallation found = find(search("none", "a", "b", "c"));
    assertEquals(temporary.resolve("c/mysqld"), found.mysqld());
    assertEquals(Optional.of(client), found.client());
    assertEquals(new MysqlVersion(8, 4, 6), found.version());
  }

  @Test
  void aClientInTheBinDirectoryNextDoorIsFound() throws IOException {
    FakeProgram.printing(temporary.resolve("usr/sbin/mysqld"), FakeProgram.MYSQL_8_4);
    Path client = FakeProgram.printing(temporary.resolve("usr/bin/mysql"), "client");
    assertEquals(Optional.of(client), find(search("usr/sbin")).client());
  }

  @Test
  void whatWasPassedOverIsSaidWhenNothingIsFound() throws IOException {
    FakeProgram.printing(temporary.resolve("a/mysqld"), FakeProgram.MARIADB);
    FakeProgram.script(temporary.resolve("b/mysqld"), "echo 'libaio.so missing'; exit 127");
    MysqldException failure = assertThrows(MysqldException.class, () -> find(search("a", "b")));
    assertEquals(Reason.NOT_FOUND, failure.reason());
    assertTrue(failure.sentence().contains("a/mysqld cannot be used: it is MariaDB 10.11.14"));
    assertTrue(failure.sentence().contains("libaio.so missing"), failure.sentence());
  }

  @Test
  void theConfiguredServerIsTheOnlyOneTried() throws IOException {
    FakeProgram.printing(temporary.resolve("a/mysqld"), FakeProgram.MYSQL_8_4);
    Path maria = FakeProgram.printing(temporary.resolve("m/mysqld"), FakeProgram.MARIADB);
    Path old = FakeProgram.printing(temporary.resolve("o/mysqld"), FakeProgram.MYSQL_8_0);
    for (Path unfit : List.of(maria, old, temporary.resolve("absent"))) {
      MysqldException failure =
          assertThrows(MysqldException.class, () -> find(search("a").withConfigured(unfit)));
      assertEquals(Reason.UNSUITABLE, failure.reason());
      assertTrue(failure.sentence().startsWith(unfit + " cannot be used"), failure.sentence());
    }
  }

  @Test
  void aConfiguredDirectoryMeansItsBin() throws IOException {
    Path mysqld = FakeProgram.printing(temporary.resolve("d/bin/mysqld"), FakeProgram.MYSQL_8_4);
    assertEquals(mysqld, find(search().withConfigured(temporary.resolve("d"))).mysqld());
  }

  @Test
  void theFetchedServerIsFoundInTheCache() throws IOException {
    Path cached =
        FakeProgram.printing(
            temporary.resolve("cache/mysql-9.7/bin/mysqld"), FakeProgram.MYSQL_8_4);
    assertEquals(cached, find(search()).mysqld());
  }

  @Test
  void noDefaultsIsPassedExactlyOnce() throws IOException {
    Path plain = FakeProgram.printing(temporary.resolve("p/mysqld"), FakeProgram.MYSQL_8_4);
    Path wrapper =
        FakeProgram.script(
            temporary.resolve("w/mysqld"),
            "exec echo '" + FakeProgram.MYSQL_8_4 + "' --no-defaults \"$@\"");
    assertEquals("--no-defaults", MysqlInstallation.of(plain).serverCommand().get(1));
    assertTrue(MysqlInstallation.of(wrapper).passesNoDefaults());
    assertFalse(MysqlInstallation.of(wrapper).serverCommand().contains("--no-defaults"));
  }

  @Test
  void theEnvironmentIsRead() {
    MysqlSearch search =
        MysqlSearch.fromEnvironment(
            Map.of(
                "PATH", "/one::/two:relative",
                "ALRAI_MYSQLD", "/my/mysqld",
                "ALRAI_CACHE", "/my/cache",
                "ALRAI_FETCH", "no",
                "ALRAI_DEBIAN_MIRROR", "http://mirror.invalid, file:///mirror"));
    assertEquals(Optional.of(Path.of("/my/mysqld")), search.configured());
    assertEquals(Path.of("/my/cache"), search.cacheDirectory());
    assertEquals(List.of(Path.of("/one"), Path.of("/two")), search.directories().subList(0, 2));
    assertFalse(search.directories().contains(Path.of("relative")));
    assertFalse(search.mayFetch());
    assertEquals(List.of("http://mirror.invalid", "file:///mirror"), search.source().mirrors());
  }

  @Test
  void theEnvironmentMayBeEmpty() {
    MysqlSearch search = MysqlSearch.fromEnvironment(Map.of());
    assertEquals(Optional.empty(), search.configured());
    assertEquals(
        Path.of(System.getProperty("user.home"), ".cache", "alrai"), search.cacheDirectory());
    assertTrue(search.mayFetch());
    assertEquals(
        List.of("http://deb.debian.org/debian", "https://deb.debian.org/debian"),
        search.source().mirrors());
    assertTrue(Files.exists(search.cacheDirectory().getRoot()));
  }
}
