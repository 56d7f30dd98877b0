package io.alrai.dn.mysqld;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A process that supervises one server until it is killed. */
final class ParentProcess {
  private ParentProcess() {}

  static Process launch(DataDirectoryTemplate template, MysqldConfig config) throws IOException {
    return new ProcessBuilder(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                ParentProcess.class.getName(),
                template.installation().mysqld().toString(),
                template.cacheDirectory().toString(),
                config.directory().toString()))
        .inheritIO()
        .start();
  }

  /** Arguments: mysqld, cache directory, instance directory. */
  public static void main(String[] arguments) throws InterruptedException {
    DataDirectoryTemplate template =
        new DataDirectoryTemplate(
            MysqlInstallation.of(Path.of(arguments[0])),
            Path.of(arguments[1]),
            InstallProgress.silent());
    MysqldConfig config = MysqldConfig.of(Path.of(arguments[2]), 1);
    new MysqldSupervisor(MysqldInstance.create(template, config), MysqldListener.none()).start();
    new CountDownLatch(1).await();
  }
}
