package io.alrai.dist;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * The one folder of a release:
 *
 * <pre>
 * bin/alrai          the launcher
 * lib/*.jar          what it runs; lib/classpath names them in the order of the class path
 * lib/warm.sh        how the launcher makes and takes the cache of classes
 * jre/               the JVM
 * licenses/          of the jars; those of the JVM are in jre/legal
 * sbom.cdx.json      the parts, as CycloneDX
 * LICENSE NOTICE
 * SHA256SUMS         of all files but itself: the seal, whose bytes tell two builds apart
 * </pre>
 *
 * @param path where it is put together
 */
record ReleaseFolder(Path path) {
  /** The file that tells two builds apart. */
  static final String SEAL = "SHA256SUMS";

  /** A new folder; what an earlier build has left there is removed. */
  static ReleaseFolder empty(Path path) throws IOException {
    if (Files.exists(path)) {
      try (Stream<Path> left = Files.walk(path)) {
        for (Path file : left.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
    return new ReleaseFolder(Files.createDirectories(path));
  }

  void addJars(List<Path> jars) throws IOException {
    Path lib = Files.createDirectories(path.resolve("lib"));
    List<String> names = new ArrayList<>();
    for (Path jar : jars) {
      String name = jar.getFileName().toString();
      Files.copy(jar, lib.resolve(name)); // fails where two have one name
      Licenses.copy(jar, path.resolve("licenses").resolve(name.replaceFirst("\\.jar$", "")));
      names.add(name);
    }
    Files.writeString(lib.resolve("classpath"), String.join("\n", names) + "\n");
  }

  void addScripts(Path sources) throws IOException {
    Path bin = Files.createDirectories(path.resolve("bin"));
    Files.copy(sources.resolve("alrai"), bin.resolve("alrai"));
    Files.copy(sources.resolve(".mvn/warm.sh"), path.resolve("lib/warm.sh"));
  }

  void addTexts(Path sources, Path sbom) throws IOException {
    Files.copy(sources.resolve("LICENSE"), path.resolve("LICENSE"));
    Files.copy(sources.resolve("NOTICE"), path.resolve("NOTICE"));
    Files.copy(sbom, path.resolve("sbom.cdx.json"));
    Files.writeString(path.resolve("licenses/LIST"), Licenses.list(sbom));
  }

  /** Writes the seal; nothing may be added after that. */
  void seal() throws IOException {
    StringBuilder sums = new StringBuilder();
    for (Path file : files()) {
      if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
        sums.append(digest("SHA-256", file))
            .append("  ")
            .append(path.relativize(file))
            .append('\n');
      }
    }
    Files.writeString(path.resolve(SEAL), sums);
  }

  /** All files, directories and links, in the order of their names, with the folder itself. */
  List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(path)) {
      return files.sorted(Comparator.comparing(file -> path.relativize(file).toString())).toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** The digest of a file by that algorithm, in hexadecimal. */
  static String digest(String algorithm, Path file) throws IOException {
    MessageDigest digest = algorithm(algorithm);
    try (InputStream in = Files.newInputStream(file)) {
      in.transferTo(new DigestOutputStream(OutputStream.nullOutputStream(), digest));
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /** As that of a file with these bytes. */
  static String digest(String algorithm, byte[] bytes) {
    return HexFormat.of().formatHex(algorithm(algorithm).digest(bytes));
  }

  private static MessageDigest algorithm(String name) {
    try {
      return MessageDigest.getInstance(name);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every JDK has both
    }
  }
}
