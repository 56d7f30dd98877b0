package io.alrai.dn.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole fetches from an archive on a port of this machine. */
class DebianPackagesTest {
  private static final TestKey KEY = TestKey.make();

  @TempDir Path temporary;
  private TestArchive archive;
  private final List<String> told = new ArrayList<>();

  @BeforeEach
  void archive() throws IOException {
    archive = new TestArchive(KEY);
    archive
        .add(new TestPackage("a").field("Depends: b, perl:any").file("usr/bin/a", 0755, "a"))
        .add(new TestPackage("b").file("usr/lib/b", 0644, "b"))
        .add(new TestPackage("perl").file("usr/bin/perl", 0755, "perl"))
        .publish();
  }

  @AfterEach
  void close() {
    archive.close();
  }

  private Path root() {
    return temporary.resolve("root");
  }

  private void unpack(DebianSource source) throws IOException, FetchException {
    FetchProgress progress =
        new FetchProgress() {
          @Override
          public void step(String sentence) {
            told.add(sentence);
          }

          @Override
          public void bytes(long done, long total) {
            told.add(done + "/" + total);
          }
        };
    new DebianPackages(source, List.of("a"), temporary.resolve("work"), progress)
        .unpackInto(root());
  }

  private String refused() {
    FetchException failure = assertThrows(FetchException.class, () -> unpack(archive.source()));
    assertFalse(Files.exists(root()));
    return failure.sentence();
  }

  @Test
  void whatIsNeededIsUnpacked() throws Exception {
    unpack(archive.source());
    assertEquals("a", Files.readString(root().resolve("usr/bin/a")));
    assertEquals("b", Files.readString(root().resolve("usr/lib/b")));
    assertFalse(Files.exists(root().resolve("usr/bin/perl")));
    assertEquals(4, archive.requests().size(), archive.requests().toString());
  }

  @Test
  void theNextMirrorIsTriedAndAllAreNamed() throws Exception {
    unpack(archive.source(List.of("http://mirror.invalid/debian", archive.mirror() + "/")));
    assertTrue(Files.exists(root().resolve("usr/bin/a")));

    DebianSource dead =
        archive.source(
            List.of("http://mirror.invalid/d", archive.mirror() + "/none", "http://a b"));
    FetchException failure = assertThrows(FetchException.class, () -> unpack(dead));
    assertEquals(
        """
        no source gives its packages:
          http://mirror.invalid/d: InRelease: there is no address for the name mirror.invalid
          %s/none: InRelease: it answers with HTTP status 404
          http://a b: it is no address\
        """
            .formatted(archive.mirror()),
        failure.sentence());
  }

  @Test
  void aMirrorMayHaveListsUnderTheirPlainNamesOnly() throws Exception {
    String byHash =
        archive.files.keySet().stream().filter(path -> path.contains("by-hash")).findAny().get();
    archive.files.put(
        byHash.replaceFirst("by-hash.*", "Packages.xz"), archive.files.remove(byHash));
    unpack(archive.source());
    assertTrue(Files.exists(root().resolve("usr/bin/a")));
  }

  @Test
  void progressReachesItsEndOnceAStep() throws Exception {
    unpack(archive.source());
    assertEquals(
        3, told.stream().filter(line -> line.matches("(\\d+)/\\1")).count(), told.toString());
  }

  @Test
  void whatHasComeIsNotFetchedAgain() throws Exception {
    byte[] b = archive.files.remove("pool/b_1.deb");
    assertTrue(refused().contains("b_1.deb: it answers with HTTP status 404"));
    archive.files.put("pool/b_1.deb", b);
    unpack(archive.source());
    assertEquals(1, archive.requests().stream().filter("pool/a_1.deb"::equals).count());
  }

  @Test
  void aPackageThatWasChangedIsRefused() {
    archive.files.computeIfPresent(
        "pool/b_1.deb",
        (_, file) -> {
          byte[] changed = file.clone();
          changed[file.length / 2] ^= 1;
          return changed;
        });
    assertTrue(refused().contains("b_1.deb is not what the signed list says"));
  }

  @Test
  void aPackageThatGrewOrWasCutIsRefused() {
    archive.files.computeIfPresent(
        "pool/b_1.deb", (_, file) -> java.util.Arrays.copyOf(file, file.length + 1));
    assertTrue(refused().contains("is larger than it may be"));
    archive.files.computeIfPresent(
        "pool/b_1.deb", (_, file) -> java.util.Arrays.copyOf(file, file.length - 2));
    assertTrue(refused().contains("it ended after"));
  }

  @Test
  void aListOfPackagesThatWasChangedIsRefused() {
    archive.files.replaceAll(
        (path, file) -> path.contains("by-hash") ? new byte[file.length] : file);
    assertTrue(refused().contains("is not what the signed list says"));
  }

  @Test
  void aChangedListOfListsIsRefused() {
    archive.files.computeIfPresent(
        "dists/sid/InRelease",
        (_, file) ->
            new String(file, StandardCharsets.UTF_8)
                .replace("Origin: Test", "Origin: Best")
                .getBytes(StandardCharsets.UTF_8));
    assertTrue(refused().contains("not signed as it must be"));
  }

  @Test
  void anotherKeysArchiveIsRefused() throws Exception {
    try (TestArchive other = new TestArchive(TestKey.make())) {
      other.add(new TestPackage("a").file("a", 0644, "a")).publish();
      FetchException failure =
          assertThrows(FetchException.class, () -> unpack(archive.source(List.of(other.mirror()))));
      assertTrue(failure.sentence().contains("none of those that this version"));
    }
  }

  @Test
  void anotherSuiteUnderTheSameKeyIsRefused() throws Exception {
    archive.codename = "buzz";
    archive.publish();
    assertTrue(refused().contains("its signed list is not that of sid"));
  }

  @Test
  void listsThatWereNotRenewedAreToldAndVeryOldOnesRefused() throws Exception {
    archive.date = Instant.now().minus(Duration.ofDays(40));
    archive.validUntil = Instant.now().minus(Duration.ofDays(33));
    archive.publish();
    unpack(archive.source());
    assertTrue(told.stream().anyMatch(line -> line.contains("has not been renewed")));
    archive.date = Instant.now().minus(Duration.ofDays(400));
    archive.publish();
    FetchException failure = assertThrows(FetchException.class, () -> unpack(archive.source()));
    assertTrue(failure.sentence().contains("too long ago"), failure.sentence());
  }

  @Test
  void whatIsNotInTheArchiveIsNamed() throws Exception {
    archive.publish("");
    assertTrue(refused().contains("it has no package a"));
  }

  @Test
  void aSignInPageIsNoArchive() {
    archive.files.put(
        "dists/sid/InRelease", "<html>sign in</html>".getBytes(StandardCharsets.UTF_8));
    assertTrue(refused().contains("something else than a signed list"));
  }

  @Test
  void aMachineWithoutPackagesIsToldBeforeAnythingIsAskedFor() {
    DebianSource mips =
        new DebianSource(
            List.of(archive.mirror()), "sid", KEY.trusted(), "mips", java.util.Map.of());
    FetchException failure = assertThrows(FetchException.class, () -> unpack(mips));
    assertTrue(failure.sentence().contains("x86-64 and arm64 only"), failure.sentence());
    assertEquals(List.of(), archive.requests());
  }
}
