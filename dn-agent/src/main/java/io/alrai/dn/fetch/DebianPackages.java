package io.alrai.dn.fetch;

import io.alrai.dn.fetch.PackageIndex.Package;
import io.alrai.dn.fetch.ReleaseFile.Listed;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.tukaani.xz.XZIOException;
import org.tukaani.xz.XZInputStream;

/**
 * Downloads packages of a Debian archive with everything they need, their own C library included,
 * checks and unpacks them, without root and without any program of the machine.
 *
 * <pre>
 *   dists/sid/InRelease            signed by a key that Alrai ships: size and SHA-256 of
 *   main/binary-ARCH/Packages.xz   of each package what it needs, size and SHA-256 of
 *   pool/.../NAME_VERSION.deb
 * </pre>
 *
 * Blocking; one thread.
 */
public final class DebianPackages {
  /** Only scripts that are never run need these. */
  private static final Pattern LEFT_OUT = Pattern.compile("(perl|libperl|libdb5|libgdbm).*");

  private static final Duration SILENCE = Duration.ofSeconds(30);
  private static final Duration BOUND = Duration.ofMinutes(30);
  private static final int MOST_RELEASE_BYTES = 8 << 20;
  private static final long MOST_INDEX_BYTES = 128L << 20;
  private static final long MOST_PACKAGE_BYTES = 1L << 30;
  private static final long MOST_UNPACKED_BYTES = 3L << 30;
  private static final int MOST_FILES = 100_000;
  private static final int XZ_MEMORY_KIB = 96 * 1024;

  private final DebianSource source;
  private final List<String> wanted;
  private final Path work;
  private final FetchProgress progress;

  /**
   * Uses {@code work} for everything but the unpacked files.
   *
   * @param wanted names of packages
   */
  public DebianPackages(
      DebianSource source, List<String> wanted, Path work, FetchProgress progress) {
    this.source = source;
    this.wanted = List.copyOf(wanted);
    this.work = work;
    this.progress = progress;
  }

  /**
   * Everything into {@code root}, which must not be there yet, from the first mirror that gives it.
   * After a failure there may be a part of it.
   *
   * @throws FetchException what each mirror lacks
   * @throws IOException when a file cannot be written or read
   */
  public void unpackInto(Path root) throws IOException, FetchException {
    String architecture = source.debianArchitecture();
    Files.createDirectories(work);
    List<Path> files = download(architecture);
    progress.step("unpacking");
    SafeTree tree = new SafeTree(root, MOST_UNPACKED_BYTES, MOST_FILES);
    long total = Math.max(1, files.stream().mapToLong(file -> file.toFile().length()).sum());
    long done = 0;
    for (Path file : files) {
      DebFile.unpack(file, tree);
      done += file.toFile().length();
      progress.bytes(done, total);
    }
    tree.requireLinksInside();
  }

  private List<Path> download(String architecture) throws IOException, FetchException {
    List<String> failures = new ArrayList<>();
    for (String mirror : source.mirrors()) {
      try {
        return download(mirror, architecture);
      } catch (FetchException e) {
        failures.add("\n  " + mirror + ": " + e.sentence());
      }
    }
    throw new FetchException("no source gives its packages:" + String.join("", failures));
  }

  private List<Path> download(String mirror, String architecture)
      throws IOException, FetchException {
    Downloads downloads = new Downloads(new Proxies(source.proxies()), SILENCE, BOUND);
    progress.step("reading Debian's list of packages from " + mirror);
    PackageIndex index = index(downloads, mirror, architecture);
    List<Package> packages = index.withAllTheyNeed(wanted, LEFT_OUT.asMatchPredicate());
    long total = Math.max(1, packages.stream().mapToLong(Package::size).sum());
    if (total > MOST_PACKAGE_BYTES) {
      throw new FetchException("what is wanted of it is too large, " + (total >> 20) + " MB");
    }
    progress.step(
        "downloading "
            + String.join(", ", wanted)
            + " and what they need, "
            + packages.size()
            + " packages of "
            + (total >> 20)
            + " MB");
    List<Path> files = new ArrayList<>();
    long done = 0;
    for (Package one : packages) {
      long before = done;
      Path file = work.resolve(one.sha256() + ".deb");
      if (!Files.exists(file)) {
        Path part = work.resolve(one.sha256() + ".part");
        downloads.toFile(
            at(mirror, one.file()),
            part,
            one.size(),
            one.sha256(),
            bytes -> progress.bytes(before + bytes, total));
        Files.move(part, file);
      } else {
        progress.bytes(before + one.size(), total);
      }
      done += one.size();
      files.add(file);
    }
    return files;
  }

  private PackageIndex index(Downloads downloads, String mirror, String architecture)
      throws IOException, FetchException {
    String suite = "dists/" + source.codename() + "/";
    Instant now = Instant.now();
    ClearSigned signed =
        ClearSigned.of(downloads.bytes(at(mirror, suite + "InRelease"), MOST_RELEASE_BYTES));
    source.keys().requireSignature(signed, now);
    ReleaseFile release = ReleaseFile.of(signed.text(), source.codename(), now);
    if (release.validUntil().filter(now::isAfter).isPresent()) {
      progress.step(
          mirror + " has not been renewed for long: its packages are of " + release.date());
    }
    String directory = "main/binary-" + architecture + "/";
    Listed list = release.list(directory + "Packages.xz");
    if (list.size() > MOST_INDEX_BYTES) {
      throw new FetchException("its list of packages is too large");
    }
    Path file = work.resolve("Packages.xz");
    String byHash = directory + "by-hash/SHA256/" + list.sha256();
    try {
      list(downloads, at(mirror, suite + (release.byHash() ? byHash : list.path())), file, list);
    } catch (FetchException e) {
      if (!release.byHash() || !e.isAbsent()) {
        throw e;
      }
      list(downloads, at(mirror, suite + list.path()), file, list); // a mirror of the plain names
    }
    try (InputStream in = Files.newInputStream(file);
        InputStream plain = new XZInputStream(in, XZ_MEMORY_KIB);
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(plain, StandardCharsets.UTF_8))) {
      return PackageIndex.read(reader, architecture);
    } catch (XZIOException | EOFException e) {
      throw new FetchException("its list of packages is damaged: " + e.getMessage(), e);
    }
  }

  private void list(Downloads downloads, URI address, Path file, Listed list)
      throws IOException, FetchException {
    downloads.toFile(
        address, file, list.size(), list.sha256(), bytes -> progress.bytes(bytes, list.size()));
  }

  private static URI at(String mirror, String path) throws FetchException {
    try {
      return URI.create(mirror.replaceFirst("/+$", "") + "/" + path);
    } catch (IllegalArgumentException e) {
      throw new FetchException("it is no address", e);
    }
  }
}
