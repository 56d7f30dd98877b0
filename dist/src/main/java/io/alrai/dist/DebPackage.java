package io.alrai.dist;

import io.alrai.cn.systemd.UnitFile;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.commons.compress.archivers.ar.ArArchiveEntry;
import org.apache.commons.compress.archivers.ar.ArArchiveOutputStream;

/**
 * A release as a package of Debian's, deb(5), whose bytes depend on the release only:
 *
 * <pre>
 * ar   debian-binary    2.0
 *      control.tar.gz   control, conffiles, md5sums, postinst, prerm, postrm
 *      data.tar.gz      /usr/lib/alrai             the release
 *                       /usr/bin/alrai             a link to its launcher
 *                       /usr/lib/systemd/system    units
 *                       /usr/lib/sysusers.d        the user
 *                       /etc/alrai                 environment, examples: files of its owner's
 *                       /usr/share/doc/alrai       copyright
 * </pre>
 *
 * @param version of the release
 * @param platform for example {@code linux-x86_64}
 * @param time of all files
 */
record DebPackage(String version, String platform, Instant time) {
  /** Where the release is. */
  static final String HOME = "/usr/lib/alrai";

  private static final String RESOURCES = "deb/";
  private static final String EXAMPLES = "/etc/alrai/example/";
  private static final int MODE_OF_PARTS = 0100644;

  /** What is before a release in the order of versions, as a snapshot is, has a tilde for that. */
  String debianVersion() {
    return version.replace('-', '~');
  }

  private String architecture() {
    return switch (platform) {
      case "linux-x86_64" -> "amd64";
      case "linux-aarch64" -> "arm64";
      default -> throw new IllegalArgumentException("Debian has no name for " + platform);
    };
  }

  /** The name of the file. */
  String fileName() {
    return "alrai_" + debianVersion() + "_" + architecture() + ".deb";
  }

  /** Writes it to a directory, and returns the file. */
  Path write(ReleaseFolder folder, Path directory) throws IOException {
    Path file = directory.resolve(fileName());
    Path part = directory.resolve(fileName() + ".part");
    Path data = directory.resolve(fileName() + ".data");
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(data))) {
      data(folder, out);
    }
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(part));
        ArArchiveOutputStream ar = new ArArchiveOutputStream(out)) {
      put(ar, "debian-binary", "2.0\n".getBytes(StandardCharsets.US_ASCII));
      put(ar, "control.tar.gz", control(folder));
      ar.putArchiveEntry(entry("data.tar.gz", Files.size(data)));
      Files.copy(data, ar);
      ar.closeArchiveEntry();
    }
    Files.delete(data);
    Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
    return file;
  }

  private void put(ArArchiveOutputStream ar, String name, byte[] bytes) throws IOException {
    ar.putArchiveEntry(entry(name, bytes.length));
    ar.write(bytes);
    ar.closeArchiveEntry();
  }

  private ArArchiveEntry entry(String name, long size) {
    return new ArArchiveEntry(name, size, 0, 0, MODE_OF_PARTS, time.getEpochSecond());
  }

  /** Files that are their owner's to change, by their absolute names. */
  private static Map<String, String> ownersFiles() throws IOException {
    Map<String, String> files = new TreeMap<>();
    files.put(UnitFile.ENVIRONMENT, resource("environment"));
    for (String name :
        new String[] {
          "cn-1.properties",
          "columnar-1.properties",
          "dn-1.properties",
          "gms-1.properties",
          "topology.yaml"
        }) {
      files.put(EXAMPLES + name, resource("example/" + name));
    }
    return files;
  }

  /** Units and the like, by their absolute names. */
  private static Map<String, String> ownFiles(ReleaseFolder folder) throws IOException {
    Map<String, String> files = new TreeMap<>();
    for (UnitFile unit : UnitFile.ofPackage(HOME)) {
      files.put("/usr/lib/systemd/system/" + unit.name(), unit.text());
    }
    files.put("/usr/lib/sysusers.d/alrai.conf", resource("sysusers.conf"));
    files.put(
        "/usr/share/doc/alrai/copyright",
        Files.readString(folder.path().resolve("NOTICE"))
            + "\nWhat the parts are under: "
            + HOME
            + "/licenses/LIST and jre/legal. Alrai itself:\n\n"
            + Files.readString(folder.path().resolve("LICENSE")));
    return files;
  }

  private void data(ReleaseFolder folder, OutputStream out) throws IOException {
    try (PlainTar tar = new PlainTar(out, time)) {
      for (String directory : new String[] {".", "./etc", "./etc/alrai", "./etc/alrai/example"}) {
        tar.directory(directory);
      }
      for (Map.Entry<String, String> file : ownersFiles().entrySet()) {
        boolean secret = file.getKey().equals(UnitFile.ENVIRONMENT);
        int mode = secret ? PlainTar.SECRET : PlainTar.TEXT;
        tar.text("." + file.getKey(), file.getValue(), mode);
      }
      for (String directory : new String[] {"./usr", "./usr/bin", "./usr/lib"}) {
        tar.directory(directory);
      }
      tar.link("./usr/bin/alrai", "../lib/alrai/bin/alrai");
      tar.release("." + HOME, folder);
      for (String directory :
          new String[] {
            "./usr/lib/systemd",
            "./usr/lib/systemd/system",
            "./usr/lib/sysusers.d",
            "./usr/share",
            "./usr/share/doc",
            "./usr/share/doc/alrai"
          }) {
        tar.directory(directory);
      }
      for (Map.Entry<String, String> file : ownFiles(folder).entrySet()) {
        tar.text("." + file.getKey(), file.getValue(), PlainTar.TEXT);
      }
    }
  }

  private byte[] control(ReleaseFolder folder) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    StringBuilder sums = new StringBuilder();
    long size = 0;
    for (Path file : folder.files()) {
      if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
        Path inside = folder.path().relativize(file);
        sums.append(ReleaseFolder.digest("MD5", file))
            .append("  ")
            .append(HOME.substring(1) + "/" + inside + "\n");
        size += Files.size(file);
      }
    }
    for (Map.Entry<String, String> file : ownFiles(folder).entrySet()) {
      byte[] text = file.getValue().getBytes(StandardCharsets.UTF_8);
      sums.append(ReleaseFolder.digest("MD5", text))
          .append("  ")
          .append(file.getKey().substring(1) + "\n");
    }
    try (PlainTar tar = new PlainTar(bytes, time)) {
      tar.directory(".");
      String files = ownersFiles().keySet().stream().collect(Collectors.joining("\n", "", "\n"));
      tar.text("./conffiles", files, PlainTar.TEXT);
      tar.text("./control", fields(size >> 10), PlainTar.TEXT);
      tar.text("./md5sums", sums.toString(), PlainTar.TEXT);
      for (String script : new String[] {"postinst", "postrm", "prerm"}) {
        tar.text("./" + script, resource(script), PlainTar.PROGRAM);
      }
    }
    return bytes.toByteArray();
  }

  private String fields(long kibibytes) {
    return """
    Package: alrai
    Version: %s
    Architecture: %s
    Maintainer: The maintainers of Alrai <alrai@localhost>
    Installed-Size: %d
    Depends: libc6, systemd | systemd-standalone-sysusers | systemd-sysusers
    Recommends: ca-certificates
    Section: database
    Priority: optional
    Description: one MySQL endpoint over many stock MySQL servers
     A distributed database that speaks MySQL's protocol: its rows lie in stock
     MySQL servers, which it fetches from Debian where none is installed.
     .
     The package has its own JVM. No unit is started by itself.
    """
        .formatted(debianVersion(), architecture(), kibibytes);
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = DebPackage.class.getResourceAsStream(RESOURCES + name)) {
      if (in == null) {
        throw new IOException("no resource " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
