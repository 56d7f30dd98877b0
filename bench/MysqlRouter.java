import io.alrai.dn.fetch.DebianPackages;
import io.alrai.dn.fetch.DebianSource;
import io.alrai.dn.fetch.FetchProgress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Fetches Debian's MySQL Router with all that it needs: MysqlRouter DIRECTORY, with Alrai's jars. */
public final class MysqlRouter {
  private static final String MIRRORS = "http://deb.debian.org/debian https://deb.debian.org/debian";

  private MysqlRouter() {}

  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[0]);
    FetchProgress progress =
        new FetchProgress() {
          @Override
          public void step(String sentence) {
            System.err.println("MySQL Router: " + sentence);
          }

          @Override
          public void bytes(long done, long total) {}
        };
    String mirrors = System.getenv().getOrDefault("ALRAI_DEBIAN_MIRROR", MIRRORS);
    Path unfinished = Files.createTempDirectory(directory.getParent(), "router");
    Path root = unfinished.resolve("root");
    new DebianPackages(
            DebianSource.of(mirrors, System.getenv()),
            List.of("mysql-router"),
            unfinished.resolve("packages"),
            progress)
        .unpackInto(root);
    Files.move(root, directory);
  }
}
