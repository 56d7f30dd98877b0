package io.alrai.dist;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.config.RoleConfig;
import io.alrai.cn.config.RoleFile;
import io.alrai.cn.systemd.UnitFile;
import io.alrai.common.error.AlraiException;
import io.alrai.common.secret.PrivateFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.ar.ArArchiveEntry;
import org.apache.commons.compress.archivers.ar.ArArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What dpkg reads of a package of a small release. */
class DebPackageTest {
  private static final Instant TIME = Instant.parse("2026-11-21T00:00:00Z");
  private static final DebPackage PACKAGE = new DebPackage("1.0.0-SNAPSHOT", "linux-x86_64", TIME);

  @TempDir Path machine;

  /** A member of a tar, and what is in it. */
  private record Member(TarArchiveEntry entry, byte[] bytes) {
    String text() {
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  private Path build(String place) throws IOException {
    Path folder = Files.createDirectories(machine.resolve(place).resolve("alrai-1"));
    Path program = Files.createDirectories(folder.resolve("bin")).resolve("alrai");
    Files.writeString(program, "#!/bin/sh\n");
    assertTrue(program.toFile().setExecutable(true));
    Path lib = Files.createDirectories(folder.resolve("lib"));
    Files.writeString(lib.resolve("a.jar"), "x".repeat(5_000));
    Files.createSymbolicLink(lib.resolve("link"), Path.of("a.jar"));
    Files.writeString(folder.resolve("LICENSE"), "The license.\n");
    Files.writeString(folder.resolve("NOTICE"), "Alrai\n");
    ReleaseFolder release = new ReleaseFolder(folder);
    release.seal();
    return PACKAGE.write(release, machine.resolve(place));
  }

  private static Map<String, Member> members(Path deb, String part) throws IOException {
    try (ArArchiveInputStream ar = new ArArchiveInputStream(Files.newInputStream(deb))) {
      ArArchiveEntry entry = ar.getNextEntry();
      while (!entry.getName().equals(part)) {
        entry = ar.getNextEntry();
      }
      Map<String, Member> members = new LinkedHashMap<>();
      try (TarArchiveInputStream tar =
          new TarArchiveInputStream(
              new GZIPInputStream(new ByteArrayInputStream(ar.readAllBytes())))) {
        for (TarArchiveEntry next = tar.getNextEntry(); next != null; next = tar.getNextEntry()) {
          members.put(next.getName(), new Member(next, tar.readAllBytes()));
        }
      }
      return members;
    }
  }

  private static String text(Map<String, Member> members, String name) {
    Member member = members.get(name);
    assertTrue(member != null, () -> name + " of " + members.keySet());
    return member.text();
  }

  @Test
  void thePartsHaveTheirOrder() throws IOException {
    Path deb = build("one");
    assertEquals("alrai_1.0.0~SNAPSHOT_amd64.deb", deb.getFileName().toString());
    List<String> parts = new ArrayList<>();
    try (ArArchiveInputStream ar = new ArArchiveInputStream(Files.newInputStream(deb))) {
      for (ArArchiveEntry part = ar.getNextEntry(); part != null; part = ar.getNextEntry()) {
        parts.add(part.getName() + " " + part.getUserId() + " " + part.getLastModified());
      }
    }
    assertEquals(
        List.of("debian-binary", "control.tar.gz", "data.tar.gz").stream()
            .map(name -> name + " 0 " + TIME.getEpochSecond())
            .toList(),
        parts);
    try (var left = Files.list(machine.resolve("one"))) {
      assertEquals(2, left.count(), "the folder and the package");
    }
  }

  @Test
  void fieldsAndSums() throws IOException {
    Path deb = build("one");
    Map<String, Member> control = members(deb, "control.tar.gz");
    Map<String, Member> data = members(deb, "data.tar.gz");
    String fields = text(control, "./control");
    for (String field :
        List.of(
            "Package: alrai", "Version: 1.0.0~SNAPSHOT", "Architecture: amd64", "Maintainer: ")) {
      assertTrue(fields.lines().anyMatch(line -> line.startsWith(field)), fields);
    }
    assertTrue(
        fields.lines().allMatch(line -> line.matches("[A-Z][A-Za-z-]+: \\S.*| \\S.*")), fields);
    List<String> owners = text(control, "./conffiles").lines().toList();
    assertTrue(owners.contains("/etc/alrai/environment"), owners::toString);
    Map<String, String> sums =
        text(control, "./md5sums")
            .lines()
            .collect(Collectors.toMap(line -> line.substring(34), line -> line.substring(0, 32)));
    Map<String, String> expected =
        data.entrySet().stream()
            .filter(member -> !member.getKey().endsWith("/"))
            .filter(member -> !member.getValue().entry().isSymbolicLink())
            .filter(member -> !owners.contains(member.getKey().substring(1)))
            .collect(
                Collectors.toMap(
                    member -> member.getKey().substring(2),
                    member -> ReleaseFolder.digest("MD5", member.getValue().bytes())));
    assertEquals(expected, sums);
    assertTrue(owners.stream().allMatch(owner -> data.containsKey("." + owner)), owners::toString);
  }

  @Test
  void ownersModesAndTimes() throws IOException {
    Map<String, Member> data = members(build("one"), "data.tar.gz");
    TreeSet<String> directories = new TreeSet<>(List.of("./"));
    for (Map.Entry<String, Member> member : data.entrySet()) {
      TarArchiveEntry entry = member.getValue().entry();
      String name = member.getKey();
      assertTrue(name.startsWith("./"), name);
      String above = name.equals("./") ? name : name.replaceFirst("[^/]+/?$", "");
      assertTrue(directories.contains(above), "before its directory: " + name);
      directories.add(name);
      assertEquals("root 0", entry.getUserName() + " " + entry.getLongUserId());
      boolean runs = entry.isDirectory() || name.equals("./usr/lib/alrai/bin/alrai");
      int mode = name.equals("./etc/alrai/environment") ? 0600 : runs ? 0755 : 0644;
      assertEquals(entry.isSymbolicLink() ? 0777 : mode, entry.getMode() & 07777, name);
      boolean seal = name.endsWith("/SHA256SUMS");
      assertEquals(!seal, Date.from(TIME).equals(entry.getLastModifiedDate()), name);
      assertFalse(member.getValue().text().contains(machine.toString()), name);
    }
    assertEquals("../lib/alrai/bin/alrai", data.get("./usr/bin/alrai").entry().getLinkName());
    for (UnitFile unit : UnitFile.ofPackage(DebPackage.HOME)) {
      assertEquals(unit.text(), text(data, "./usr/lib/systemd/system/" + unit.name()));
    }
  }

  @Test
  void twoBuildsAtTwoPlacesHaveEqualBytes() throws IOException {
    assertArrayEquals(Files.readAllBytes(build("one")), Files.readAllBytes(build("another place")));
  }

  @Test
  void examplesAreFilesOfRolesButForTheSecret() throws IOException {
    Map<String, Member> data = members(build("one"), "data.tar.gz");
    List<String> examples =
        data.keySet().stream().filter(name -> name.endsWith(".properties")).toList();
    assertEquals(4, examples.size());
    for (String example : examples) {
      Path file = machine.resolve("role.properties");
      PrivateFiles.write(file, text(data, example));
      RoleConfig role = RoleFile.read(file);
      assertTrue(example.endsWith("/" + role.node() + ".properties"), example);
      assertThrows(AlraiException.class, () -> role.secret().open());
    }
  }

  @Test
  void scriptsAreScripts() throws IOException, InterruptedException {
    Map<String, Member> control = members(build("one"), "control.tar.gz");
    for (String script : List.of("./postinst", "./prerm", "./postrm")) {
      Path file = machine.resolve("script");
      Files.writeString(file, text(control, script));
      assertEquals(0755, control.get(script).entry().getMode() & 07777);
      Process shell = new ProcessBuilder("sh", "-n", file.toString()).inheritIO().start();
      assertEquals(0, shell.waitFor(), script);
    }
  }

  @Test
  void anotherMachinesAreNotGuessed() {
    assertEquals("alrai_2.1_arm64.deb", new DebPackage("2.1", "linux-aarch64", TIME).fileName());
    assertThrows(
        IllegalArgumentException.class,
        () -> new DebPackage("2.1", "linux-riscv64", TIME).fileName());
  }
}
