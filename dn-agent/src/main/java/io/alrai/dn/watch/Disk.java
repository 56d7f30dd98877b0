package io.alrai.dn.watch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** What a member sees of a disk that it writes to. Any thread; blocking. */
public interface Disk {
  /** Bytes that it can still write below a directory. */
  long usableBytes(Path directory) throws IOException;

  /** Writes a little below a directory; returns when it is on the disk. */
  void sync(Path directory) throws IOException;

  /** The machine's. */
  Disk REAL =
      new Disk() {
        @Override
        public long usableBytes(Path directory) throws IOException {
          return Files.getFileStore(directory).getUsableSpace();
        }

        @Override
        public void sync(Path directory) throws IOException {
          try (FileChannel file =
              FileChannel.open(
                  directory.resolve("synced"),
                  StandardOpenOption.CREATE,
                  StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap(new byte[] {1}), 0);
            file.force(false);
          }
        }
      };
}
