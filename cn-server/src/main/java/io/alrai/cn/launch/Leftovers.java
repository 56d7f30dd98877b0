package io.alrai.cn.launch;

import io.alrai.cn.process.RunDirectory;
import io.alrai.common.secret.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What earlier starts of a cluster have left in its directory. Stateless. */
final class Leftovers {
  private static final Logger log = LoggerFactory.getLogger(Leftovers.class);

  private Leftovers() {}

  /** Stops what a process that was killed left running, and closes configurations to others. */
  static void clear(Path directory) throws IOException {
    OrderedStop.all(
        new RunDirectory(directory),
        (name, left) -> log.warn("{} was left over and is stopped: process {}", name, left.pid()));
    Path configs = directory.resolve("etc");
    PrivateFiles.directory(configs);
    try (Stream<Path> files = Files.list(configs)) {
      for (Path file : files.toList()) {
        PrivateFiles.close(file); // earlier versions let others read them
      }
    }
  }
}
