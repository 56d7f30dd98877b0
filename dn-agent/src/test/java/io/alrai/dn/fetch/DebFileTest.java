package io.alrai.dn.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Packages that mean well, and such as try to get out of the directory. */
class DebFileTest {
  @TempDir Path temporary;
  private Path root;
  private Path outside;

  @BeforeEach
  void paths() throws IOException {
    root = temporary.resolve("root");
    outside = Files.writeString(temporary.resolve("outside"), "untouched");
  }

  private static TestPackage pack() {
    return new TestPackage("p");
  }

  private void unpack(TestPackage... packages) throws IOException, FetchException {
    unpack(new SafeTree(root, 1 << 20, 1000), packages);
  }

  private void unpack(SafeTree tree, TestPackage... packages) throws IOException, FetchException {
    for (TestPackage one : packages) {
      DebFile.unpack(Files.write(temporary.resolve("p.deb"), one.bytes()), tree);
    }
    tree.requireLinksInside();
  }

  private String refused(TestPackage... packages) throws IOException {
    FetchException failure = assertThrows(FetchException.class, () -> unpack(packages));
    assertEquals("untouched", Files.readString(outside));
    try (Stream<Path> all = Files.list(temporary)) {
      assertEquals(
          List.of("outside", "p.deb", "root"),
          all.map(path -> path.getFileName().toString()).sorted().toList());
    }
    return failure.sentence();
  }

  @Test
  void filesDirectoriesAndLinksComeAsTheyAre() throws Exception {
    String longName = "usr/share/" + "long-".repeat(40) + "/file";
    unpack(
        pack()
            .directory("./")
            .directory("./usr/bin/")
            .file("./usr/bin/program", 04755, "text")
            .file("./usr/lib/x86/libz.so.1.2", 0444, "library")
            .link("./usr/lib/x86/libz.so.1", "libz.so.1.2")
            .link("./usr/lib/up", "../bin/program")
            .link("./usr/lib/absolute", "/usr/bin/program")
            .hardLink("./usr/bin/again", "./usr/bin/program")
            .file(longName, 0644, "long"));
    Path program = root.resolve("usr/bin/program");
    assertEquals("text", Files.readString(program));
    assertEquals(
        PosixFilePermissions.fromString("rwxr-xr-x"), Files.getPosixFilePermissions(program));
    assertEquals(
        Path.of("libz.so.1.2"), Files.readSymbolicLink(root.resolve("usr/lib/x86/libz.so.1")));
    assertEquals("text", Files.readString(root.resolve("usr/lib/up")));
    assertEquals(
        Path.of("../bin/program"), Files.readSymbolicLink(root.resolve("usr/lib/absolute")));
    assertTrue(Files.isSameFile(program, root.resolve("usr/bin/again")));
    assertEquals("long", Files.readString(root.resolve(longName)));
  }

  @Test
  void otherCompressionsAreReadOrNamed() throws Exception {
    unpack(pack().member("data.tar").file("a", 0644, "plain"));
    assertEquals("plain", Files.readString(root.resolve("a")));
    String sentence = refused(pack().member("data.tar.zst").file("a", 0644, "x"));
    assertTrue(sentence.contains("data.tar.zst"), sentence);
  }

  @Test
  void aLaterPackageReplacesAFileButNotWhereItsLinkLeads() throws Exception {
    unpack(pack().file("a", 0644, "first").link("link", "a"), pack().file("link", 0644, "second"));
    assertEquals("first", Files.readString(root.resolve("a")));
    assertFalse(Files.isSymbolicLink(root.resolve("link")));
  }

  @Test
  void aLinkToADirectoryOfThePackagesIsFollowed() throws Exception {
    unpack(pack().directory("usr/lib/").link("lib", "usr/lib"), pack().file("lib/a", 0644, "x"));
    assertEquals("x", Files.readString(root.resolve("usr/lib/a")));
  }

  @Test
  void pathsThatLeadOutAreRefused() throws Exception {
    for (String path :
        List.of("../outside", "a/../../outside", "/etc/outside", "./../outside", "..")) {
      String sentence = refused(pack().file(path, 0644, "bad"));
      assertTrue(sentence.contains("path"), sentence);
    }
    refused(pack().directory("../new"));
    refused(pack().file(outside.toString(), 0644, "bad"));
  }

  @Test
  void linksThatLeadOutAreRefused() throws Exception {
    for (String target : List.of("../outside", "a/../../outside", "..", "../../../etc/passwd")) {
      assertTrue(refused(pack().link("l", target)).contains("a link out of its directory"));
    }
    assertTrue(refused(pack().hardLink("h", "../outside")).contains("path out"));
    assertTrue(refused(pack().hardLink("h", "none")).contains("no file of it"));
    refused(pack().file("a", 0644, "x").link("l", "a").hardLink("h", "l"));
  }

  @Test
  void linksOverLinksDoNotLeadOut() throws Exception {
    // k is the root itself, so k/.. is what is above it
    refused(pack().directory("x/y").link("x/y/k", "../..").link("x/y/m", "k/.."));
    refused(
        pack()
            .directory("x/y")
            .link("x/y/k", "../..")
            .link("x/y/m", "k/..")
            .file("x/y/m/outside", 0644, "bad"));
    refused(
        pack()
            .directory("x/y")
            .link("x/y/k", "../..")
            .link("x/y/m", "k/..")
            .hardLink("h", "x/y/m/outside"));
  }

  @Test
  void anAbsoluteLinkMeansThePackagesOwnDirectory() throws Exception {
    unpack(pack().file("etc/passwd", 0644, "own").link("l", "/etc/passwd").link("d", "/tmp"));
    assertEquals("own", Files.readString(root.resolve("l")));
    assertFalse(Files.exists(root.resolve("d")));
    assertTrue(Files.exists(root.resolve("d"), LinkOption.NOFOLLOW_LINKS));
    refused(pack().file("d/file", 0644, "through a link to nowhere"));
  }

  @Test
  void whatIsNoPlainFileIsRefused() throws Exception {
    for (byte type : new byte[] {TarConstants.LF_CHR, TarConstants.LF_BLK, TarConstants.LF_FIFO}) {
      assertTrue(refused(pack().entry("dev", type, "")).contains("no plain file"));
    }
  }

  @Test
  void aDirectoryIsNotReplaced() throws Exception {
    refused(pack().directory("d").file("d", 0644, "x"));
    refused(pack().file(".", 0644, "x"));
  }

  @Test
  void sizesAndCountsAreBounded() throws Exception {
    FetchException large =
        assertThrows(
            FetchException.class,
            () -> unpack(pack().file("a", 0644, "x".repeat(1 << 20)).file("b", 0644, "x")));
    assertTrue(large.sentence().contains("more than 1 MB"), large.sentence());
    FetchException many =
        assertThrows(
            FetchException.class,
            () ->
                unpack(
                    new SafeTree(temporary.resolve("two"), 1 << 20, 2),
                    pack().file("a", 0644, "").file("b", 0644, "").file("c", 0644, "")));
    assertTrue(many.sentence().contains("more than 2 files"), many.sentence());
  }

  @Test
  void damagedPackagesAreSaidToBeSo() throws Exception {
    byte[] whole = pack().file("a", 0644, "some text to be cut".repeat(100)).bytes();
    for (int length : new int[] {0, 4, 60, 200, 1300, whole.length / 2, whole.length - 30}) {
      byte[] cut = java.util.Arrays.copyOf(whole, Math.min(length, whole.length));
      Path file = Files.write(temporary.resolve("p.deb"), cut);
      assertThrows(
          FetchException.class,
          () -> DebFile.unpack(file, new SafeTree(root, 1 << 20, 1000)),
          "cut at " + length);
    }
    byte[] changed = whole.clone();
    changed[whole.length - 60] ^= 0x55;
    Path file = Files.write(temporary.resolve("p.deb"), changed);
    assertThrows(
        FetchException.class, () -> DebFile.unpack(file, new SafeTree(root, 1 << 20, 1000)));
  }

  @Test
  void pathsThatNoFileHasAreRefused() throws IOException {
    SafeTree tree = new SafeTree(root, 1 << 20, 1000);
    for (String path : List.of("a\0b", "\ud800")) {
      String sentence = assertThrows(FetchException.class, () -> tree.directory(path)).sentence();
      assertTrue(sentence.contains("cannot have"), sentence);
      sentence = assertThrows(FetchException.class, () -> tree.link("link", path)).sentence();
      assertTrue(sentence.contains("cannot have"), sentence);
    }
  }
}
