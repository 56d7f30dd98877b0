package io.alrai.dn.mysqld;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.dn.fetch.DebianSource;
import io.alrai.dn.fetch.TestArchive;
import io.alrai.dn.fetch.TestKey;
import io.alrai.dn.fetch.TestPackage;
import io.alrai.dn.mysqld.MysqldException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole way of fetching, from an archive on a port of this machine. */
class MysqlFetchTest {
  private static final TestKey KEY = TestKey.make();

  @TempDir Path temporary;
  private Path cache;
  private TestArchive archive;

  @BeforeEach
  void open() throws IOException {
    cache = temporary.resolve("cache");
    archive = new TestArchive(KEY);
  }

  @AfterEach
  void close() {
    archive.close();
  }

  private MysqlFetch fetch(String loader) throws IOException {
    FakeServer.publish(archive, loader);
    return new MysqlFetch(cache, archive.source());
  }

  private MysqlFetch version(String version) throws IOException {
    return fetch(FakeServer.saying(version));
  }

  private List<String> leftInCache() throws IOException {
    try (var files = Files.list(cache)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static MysqldException failure(MysqlFetch fetch) {
    return assertThrows(MysqldException.class, () -> fetch.fetch(InstallProgress.silent()));
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
            told.add(done == total ? "done" : "not done");
          }
        };
    MysqlInstallation installed = version("9.7.4").fetch(progress);
    assertEquals(cache.resolve("mysql-9.7/bin/mysqld"), installed.mysqld());
    assertEquals(cache.resolve("mysql-9.7/bin/mysql"), installed.client().orElseThrow());
    assertTrue(installed.passesNoDefaults());
    assertFalse(Files.exists(cache.resolve("mysql-9.7/bin/mysqlhotcopy")));
    assertEquals(List.of("mysql-9.7", "mysql-9.7.lock"), leftInCache());
    assertTrue(told.contains("done"), told.toString());

    Path moved = Files.move(cache.resolve("mysql-9.7"), temporary.resolve("a new place"));
    assertEquals(
        new MysqlVersion(9, 7, 4), MysqlInstallation.of(moved.resolve("bin/mysqld")).version());
    Path link = Files.createSymbolicLink(temporary.resolve("link"), moved.resolve("bin/mysqld"));
    assertEquals(new MysqlVersion(9, 7, 4), MysqlInstallation.of(link).version());
  }

  @Test
  void ofTwoAtOnceOneFetches() throws Exception {
    MysqlFetch one = version("9.7.4");
    MysqlFetch two = new MysqlFetch(cache, archive.source());
    CompletableFuture<MysqlInstallation> first =
        CompletableFuture.supplyAsync(
            () -> one.fetch(InstallProgress.silent()), Thread::startVirtualThread);
    CompletableFuture<MysqlInstallation> second =
        CompletableFuture.supplyAsync(
            () -> two.fetch(InstallProgress.silent()), Thread::startVirtualThread);
    assertEquals(first.get(), second.get());
    assertEquals(1, archive.requests().stream().filter(path -> path.contains("libc6")).count());
  }

  @Test
  void noSourceIsSaidAndLeavesNothing() throws IOException {
    DebianSource dead =
        DebianSource.of("http://one.invalid/debian http://two.invalid/debian", java.util.Map.of());
    MysqldException failure = failure(new MysqlFetch(cache, dead));
    assertEquals(Reason.FETCH_FAILED, failure.reason());
    for (String part :
        List.of("one.invalid/debian: ", "two.invalid/debian: ", "ALRAI_MYSQLD", "no address")) {
      assertTrue(failure.sentence().contains(part), failure.sentence());
    }
    assertEquals(List.of("mysql-9.7.lock"), leftInCache());
  }

  @Test
  void aBadPackageLeavesNothing() throws IOException {
    MysqlFetch fetch = version("9.7.4");
    archive.add(new TestPackage("evil").file("../../../escaped", 0644, "x"));
    archive
        .add(
            new TestPackage("mysql-server-core")
                .version("2")
                .field("Depends: libc6, evil")
                .file("usr/sbin/mysqld", 0755, FakeServer.ELF))
        .publish();
    MysqldException failure = failure(fetch);
    assertEquals(Reason.FETCH_FAILED, failure.reason());
    assertTrue(failure.sentence().contains("../../../escaped"), failure.sentence());
    assertEquals(List.of("mysql-9.7.lock"), leftInCache());
    assertFalse(Files.exists(temporary.resolve("escaped")));
  }

  @Test
  void packagesWithoutALoaderAreNotKept() throws IOException {
    for (String name : List.of("mysql-server-core", "mysql-client-core", "mysql-common")) {
      archive.add(new TestPackage(name).file("usr/lib/x", 0644, "x"));
    }
    archive.publish();
    MysqldException failure = failure(new MysqlFetch(cache, archive.source()));
    assertEquals(Reason.FETCH_FAILED, failure.reason());
    assertEquals(List.of("mysql-9.7.lock"), leftInCache());
  }

  @Test
  void aServerThatIsTooOldIsNotKept() throws IOException {
    assertEquals(Reason.UNSUITABLE, failure(version("8.0.43")).reason());
    assertEquals(List.of("mysql-9.7.lock"), leftInCache());
  }

  @Test
  void aLibraryThatIsMissingIsNamed() throws IOException {
    MysqldException failure =
        failure(
            fetch(
                "echo 'mysqld: error while loading shared libraries: libaio.so.1t64: cannot open'\n"
                    + "exit 127\n"));
    assertEquals(Reason.UNSUITABLE, failure.reason());
    assertTrue(failure.sentence().contains("libaio.so.1t64"), failure.sentence());
    assertEquals(List.of("mysql-9.7.lock"), leftInCache());
  }

  @Test
  void whatADyingProcessLeftIsFetchedAgain() throws IOException {
    FakeProgram.script(cache.resolve("mysql-9.7/bin/mysqld"), "exit 1");
    FakeProgram.script(cache.resolve("mysql-9.7.unfinished/installed/root/half"), "");
    MysqlInstallation installed = version("9.7.4").fetch(InstallProgress.silent());
    assertEquals(new MysqlVersion(9, 7, 4), installed.version());
    assertEquals(List.of("mysql-9.7", "mysql-9.7.lock"), leftInCache());
  }
}
