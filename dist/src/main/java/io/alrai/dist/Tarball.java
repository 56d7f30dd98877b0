package io.alrai.dist;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;

/**
 * A release as a file that is unpacked anywhere, with one folder of its name and version in it.
 *
 * @param time of all files
 */
record Tarball(Instant time) {
  void write(ReleaseFolder folder, Path file) throws IOException {
    Path part = file.resolveSibling(file.getFileName() + ".part");
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(part));
        PlainTar tar = new PlainTar(out, time)) {
      tar.release(folder.path().getFileName().toString(), folder);
    }
    Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
  }
}
