package io.alrai.dist;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Releases of two files, a link and one jar. */
final class TarballTest {
  private static final Instant TIME = Instant.parse("2026-11-21T00:00:00Z");

  @TempDir Path machine;

  /** A release in a directory; the jar has this text. */
  private ReleaseFolder folder(String place, String text) throws IOException {
    Path sources = Files.createDirectories(machine.resolve(place).resolve("sources/.mvn"));
    for (String name : List.of("warm.sh", "../alrai", "../LICENSE", "../NOTICE")) {
      Files.writeString(sources.resolve(name), name + "\n");
    }
    assertTrue(sources.resolveSibling("alrai").toFile().setExecutable(true));
    Path sbom = sources.resolveSibling("sbom.json");
    Files.writeString(
        sbom,
        """
        {"components": [
          {"group": "g", "name": "b", "version": "2", "licenses": [{"license": {"id": "MIT"}}]},
          {"group": "g", "name": "a", "version": "1", "licenses":
            [{"license": {"name": "Some"}}, {"license": {"id": "BSD-2-Clause"}}]},
          {"group": "g", "name": "c", "version": "3"}]}
        """);
    Path jar = sources.resolveSibling("one.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      for (String name : List.of("META-INF/LICENSE.txt", "x/License.class", "notice")) {
        JarEntry entry = new JarEntry(name);
        entry.setTime(0);
        out.putNextEntry(entry);
        out.write(text.getBytes(StandardCharsets.US_ASCII));
      }
    }
    ReleaseFolder folder = ReleaseFolder.empty(machine.resolve(place).resolve("alrai-1"));
    folder.addJars(List.of(jar));
    folder.addScripts(sources.getParent());
    folder.addTexts(sources.getParent(), sbom);
    Files.createSymbolicLink(folder.path().resolve("lib/link"), Path.of("../LICENSE"));
    folder.seal();
    return folder;
  }

  private Path tarball(String place, String text) throws IOException {
    Path file = machine.resolve(place + ".tar.gz");
    new Tarball(TIME).write(folder(place, text), file);
    return file;
  }

  private static List<TarArchiveEntry> entries(Path file) throws IOException {
    List<TarArchiveEntry> entries = new ArrayList<>();
    try (TarArchiveInputStream in =
        new TarArchiveInputStream(new GZIPInputStream(Files.newInputStream(file)))) {
      for (TarArchiveEntry next = in.getNextEntry(); next != null; next = in.getNextEntry()) {
        entries.add(next);
      }
    }
    return entries;
  }

  @Test
  void whatDependsOnThePlaceIsNotThere() throws IOException {
    Path one = tarball("one", "text");
    List<TarArchiveEntry> entries = entries(one);
    assertEquals(
        List.of(
            "alrai-1/",
            "alrai-1/LICENSE",
            "alrai-1/NOTICE",
            "alrai-1/SHA256SUMS",
            "alrai-1/bin/",
            "alrai-1/bin/alrai",
            "alrai-1/lib/",
            "alrai-1/lib/classpath",
            "alrai-1/lib/link",
            "alrai-1/lib/one.jar",
            "alrai-1/lib/warm.sh",
            "alrai-1/licenses/",
            "alrai-1/licenses/LIST",
            "alrai-1/licenses/one/",
            "alrai-1/licenses/one/META-INF_LICENSE.txt",
            "alrai-1/licenses/one/notice",
            "alrai-1/sbom.cdx.json"),
        entries.stream().map(TarArchiveEntry::getName).toList());
    for (TarArchiveEntry entry : entries) {
      assertEquals("root 0", entry.getUserName() + " " + entry.getLongUserId());
      if (!entry.getName().endsWith("SHA256SUMS")) {
        assertEquals(Date.from(TIME), entry.getLastModifiedDate(), entry.getName());
      }
      boolean runs = entry.isDirectory() || entry.getName().equals("alrai-1/bin/alrai");
      int mode = entry.isSymbolicLink() ? 0777 : runs ? 0755 : 0644;
      assertEquals(mode, entry.getMode() & 0777, entry.getName());
    }
    assertEquals("../LICENSE", entries.get(8).getLinkName());
    assertArrayEquals(Files.readAllBytes(one), Files.readAllBytes(tarball("another", "text")));
    assertEquals(
        "g:a 1: Some or BSD-2-Clause\ng:b 2: MIT\ng:c 3: its POM names none\n",
        Files.readString(machine.resolve("one/alrai-1/licenses/LIST")));
  }

  @Test
  void twoBuildsWithJarsOfOneSizeDifferInTheTimeOfTheSeal() throws IOException {
    FileTime one = entries(tarball("one", "text")).get(3).getLastModifiedTime();
    FileTime other = entries(tarball("other", "next")).get(3).getLastModifiedTime();
    assertEquals(
        Files.size(machine.resolve("one/alrai-1/lib/one.jar")),
        Files.size(machine.resolve("other/alrai-1/lib/one.jar")));
    assertNotEquals(one, other);
    assertTrue(one.toInstant().isBefore(TIME));
  }

  @Test
  void whatAnEarlierBuildHasLeftIsGone() throws IOException {
    folder("one", "text");
    Path left = machine.resolve("one/alrai-1/lib/old.jar");
    Files.writeString(left, "");
    folder("one", "text");
    assertTrue(Files.notExists(left));
  }
}
