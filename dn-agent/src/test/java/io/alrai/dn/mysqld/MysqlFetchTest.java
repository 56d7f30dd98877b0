package io.alrai.dn.mysqld;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.dn.mysqld.MysqldException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole way of fetching, with scripts in place of apt-get and dpkg-deb. */
class MysqlFetchTest {
  /** Appends to a list of calls; a download puts one package into the archives. */
  private static final String APT_GET =
      """
      for word in "$@"; do
        case $word in -oDir::Cache=*) cache=${word#*=} ;; esac
      done
      echo "$*" >> CALLS
      case "$*" in
        *--print-uris*) echo "'http://m/mysql.deb' mysql.deb 5000000 MD5Sum:0" ;;
        *--download-only*) sleep 0.3; echo package > "$cache/archives/mysql-server-core_9.deb" ;;
      esac
      """;

  /** The package's mysqld is no program but looks like one; the package's loader is a script. */
  private static final String DPKG_DEB =
      """
      root=$3
      mkdir -p "$root/usr/sbin" "$root/usr/bin" "$root/usr/lib64" "$root/usr/lib/x86_64-linux-gnu"
      printf '\\177ELF' > "$root/usr/sbin/mysqld"
      printf '\\177ELF' > "$root/usr/bin/mysql"
      echo '#!/usr/bin/perl' > "$root/usr/bin/mysqlhotcopy"
      loader=$root/usr/lib64/ld-linux-x86-64.so.2
      printf '#!/bin/sh\\necho "mysqld  Ver VERSION for Linux on x86_64"\\n' > "$loader"
      chmod +x "$loader"
      """;

  @TempDir Path temporary;
  private Path cache;
  private Path calls;

  @BeforeEach
  void paths() {
    cache = temporary.resolve("cache");
    calls = temporary.resolve("calls");
  }

  private MysqlFetch fetch(String aptGet, String dpkgDeb) throws IOException {
    Path keyring = Files.writeString(temporary.resolve("keyring.gpg"), "keys");
    return new MysqlFetch(
        cache,
        new DebianSource(
            "http://mirror.invalid/debian",
            keyring,
            FakeProgram.script(
                temporary.resolve("apt-get"), aptGet.replace("CALLS", calls.toString())),
            FakeProgram.script(temporary.resolve("dpkg-deb"), dpkgDeb)));
  }

  private static String dpkgDeb(String version) {
    return DPKG_DEB.replace("VERSION", version);
  }

  private List<String> leftInCache() throws IOException {
    try (var files = Files.list(cache)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void aServerIsFetchedWholeAndCanBeMoved() throws IOException {
    List<String> told = new ArrayList<>();
    InstallProgress progress =
        new InstallProgress() {
          @Override
          public void step(String sentence) {
            told.add(sentence);
          }

          @Override
          public void bytes(long done, long total) {
            told.add(done + "/" + total);
          }
        };
    MysqlInstallation installed = fetch(APT_GET, dpkgDeb("9.7.4")).fetch(progress);
    assertEquals(cache.resolve("mysql-9.7/bin/mysqld"), installed.mysqld());
    assertEquals(cache.resolve("mysql-9.7/bin/mysql"), installed.client().orElseThrow());
    assertTrue(installed.passesNoDefaults());
    assertFalse(Files.exists(cache.resolve("mysql-9.7/bin/mysqlhotcopy")));
    assertEquals(List.of("mysql-9.7", "mysql-9.7.lock"), leftInCache());
    assertTrue(told.contains("5000000/5000000"), told.toString());

    Path moved = Files.move(cache.resolve("mysql-9.7"), temporary.resolve("a new place"));
    assertEquals(
        new MysqlVersion(9, 7, 4), MysqlInstallation.of(moved.resolve("bin/mysqld")).version());
    Path link = Files.createSymbolicLink(temporary.resolve("link"), moved.resolve("bin/mysqld"));
    assertEquals(new MysqlVersion(9, 7, 4), MysqlInstallation.of(link).version());
  }

  @Test
  void theMachinesOwnPackageListsAreLeftAlone() throws IOException {
    MysqlInstallation installed = fetch(APT_GET, dpkgDeb("9.7.4")).fetch(InstallProgress.silent());
    assertTrue(Files.exists(installed.mysqld()));
    List<String> lines = Files.readAllLines(calls);
    assertEquals(3, lines.size());
    for (String line : lines) {
      assertTrue(line.contains("-oDir::State::Lists=" + cache), line);
      assertTrue(line.contains("-oDir::State::status=/dev/null"), line);
      assertTrue(line.contains("-oDir::Etc::sourceparts=/dev/null"), line);
    }
  }

  @Test
  void ofTwoAtOnceOneFetches() throws Exception {
    MysqlFetch one = fetch(APT_GET, dpkgDeb("9.7.4"));
    MysqlFetch two = fetch(APT_GET, dpkgDeb("9.7.4"));
    CompletableFuture<MysqlInstallation> first =
        CompletableFuture.supplyAsync(
            () -> one.fetch(InstallProgress.silent()), Thread::startVirtualThread);
    CompletableFuture<MysqlInstallation> second =
        CompletableFuture.supplyAsync(
            () -> two.fetch(InstallProgress.silent()), Thread::startVirtualThread);
    assertEquals(first.get(), second.get());
    assertEquals(3, Files.readAllLines(calls).size());
  }

  @Test
  void noNetworkIsSaidAndLeavesNothing() throws IOException {
    MysqlFetch fetch = fetch("echo 'E: Could not resolve host'; exit 100", dpkgDeb("9.7.4"));
    MysqldException failure =
        assertThrows(MysqldException.class, () -> fetch.fetch(InstallProgress.silent()));
    assertEquals(Reason.FETCH_FAILED, failure.reason());
    assertTrue(failure.sentence().contains("Could not resolve host"), failure.sentence());
    assertEquals(List.of("mysql-9.7.lock"), leftInCache());
  }

  @Test
  void aFullDiskIsSaidAndLeavesNothing() throws IOException {
    MysqlFetch fetch = fetch(APT_GET, "echo 'dpkg-deb: error: No space left on device'; exit 2");
    MysqldException failure =
        assertThrows(MysqldException.class, () -> fetch.fetch(InstallProgress.silent()));
    assertEquals(Reason.DISK_FULL, failure.reason());
    assertEquals(List.of("mysql-9.7.lock"), leftInCache());
  }

  @Test
  void aServerThatIsTooOldIsNotKept() throws IOException {
    MysqlFetch fetch = fetch(APT_GET, dpkgDeb("8.0.43"));
    MysqldException failure =
        assertThrows(MysqldException.class, () -> fetch.fetch(InstallProgress.silent()));
    assertEquals(Reason.UNSUITABLE, failure.reason());
    assertEquals(List.of("mysql-9.7.lock"), leftInCache());
  }

  @Test
  void aBrokenServerInTheCacheIsFetchedAgain() throws IOException {
    FakeProgram.script(cache.resolve("mysql-9.7/bin/mysqld"), "exit 1");
    MysqlInstallation installed = fetch(APT_GET, dpkgDeb("9.7.4")).fetch(InstallProgress.silent());
    assertEquals(new MysqlVersion(9, 7, 4), installed.version());
  }

  @Test
  void aMachineWithoutAptIsTold() {
    MysqlFetch fetch =
        new MysqlFetch(
            cache,
            new DebianSource(
                "http://mirror.invalid",
                temporary.resolve("keyring"),
                temporary.resolve("apt-get"),
                temporary.resolve("dpkg-deb")));
    MysqldException failure =
        assertThrows(MysqldException.class, () -> fetch.fetch(InstallProgress.silent()));
    assertEquals(Reason.TOOL_MISSING, failure.reason());
    assertTrue(failure.sentence().contains("there is no apt-get"), failure.sentence());
    assertTrue(failure.sentence().contains("ALRAI_MYSQLD"), failure.sentence());
  }
}
