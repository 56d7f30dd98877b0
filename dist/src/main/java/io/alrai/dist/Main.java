package io.alrai.dist;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/** Packs a release out of the class path of this JVM; Maven starts it. */
public final class Main {
  private Main() {}

  /**
   * Packs.
   *
   * @param arguments the root of the sources, the build directory of this module with the SBOM in
   *     it, the version, and the time of all files
   */
  public static void main(String[] arguments) throws IOException, URISyntaxException {
    Path sources = Path.of(arguments[0]).toRealPath();
    Path build = Path.of(arguments[1]);
    String version = arguments[2];
    Instant time = Instant.parse(arguments[3]);

    ReleaseFolder folder = ReleaseFolder.empty(build.resolve("alrai-" + version));
    String platform = JavaRuntime.link(folder.path().resolve("jre"));
    folder.addJars(jars());
    folder.addScripts(sources);
    folder.addTexts(sources, build.resolve("sbom.cdx.json"));
    folder.seal();

    Path target = Files.createDirectories(sources.resolve("target"));
    new Tarball(time)
        .write(folder, target.resolve(folder.path().getFileName() + "-" + platform + ".tar.gz"));
    if (platform.startsWith("linux-")) {
      var _ = new DebPackage(version, platform, time).write(folder, target);
    }
  }

  /** The jars of the class path, in its order, which is that of a source tree. */
  private static List<Path> jars() throws IOException, URISyntaxException {
    Path own = Path.of(Main.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<Path> jars =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(Path::of)
            .filter(entry -> !entry.equals(own))
            .toList();
    for (Path jar : jars) {
      if (!Files.isRegularFile(jar)) {
        throw new IOException(jar + " is no jar: a release is built by ./mvnw -Pdist package");
      }
    }
    return jars;
  }
}
