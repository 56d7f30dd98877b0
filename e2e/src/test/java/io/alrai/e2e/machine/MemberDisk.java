package io.alrai.e2e.machine;

import io.alrai.testing.ClusterProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A disk for one member's directory: an ext4 in memory, which can be filled and stopped. One
 * thread.
 */
public final class MemberDisk implements ClusterProcess.Preparation, AutoCloseable {
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final int MIB = 1 << 20;

  private final String member;
  private final Path image;
  private final Path mount;
  private boolean stopped;

  private MemberDisk(String member, Path image, Path mount) {
    this.member = member;
    this.image = image;
    this.mount = mount;
  }

  /** A disk for a member of a new cluster; empty where nobody may mount one. */
  public static Optional<MemberDisk> open(String member, int mebibytes) {
    try {
      Path image = Files.createTempFile(MEMORY, "disk-", ".ext4");
      Path mount = Files.createTempDirectory("disk-");
      MemberDisk disk = new MemberDisk(member, image, mount);
      try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
        file.setLength((long) mebibytes * MIB);
      }
      try {
        HostCommand.run("mkfs.ext4", "-q", "-m", "0", image.toString());
        HostCommand.run("mount", "-o", "loop", image.toString(), mount.toString());
        return Optional.of(disk);
      } catch (IOException e) {
        disk.remove();
        throw e;
      }
    } catch (IOException e) {
      System.out.println("no disk that can be filled: " + e.getMessage());
      return Optional.empty();
    }
  }

  /** The member whose directory it has. */
  public String member() {
    return member;
  }

  /** Puts the member's directory there. */
  @Override
  public List<String> prepare(Path directory) throws IOException {
    Path inside = Files.createDirectory(mount.resolve(member));
    Files.createSymbolicLink(directory.resolve(member), inside);
    return List.of();
  }

  /** Takes all room but this. */
  public void fill(long leftBytes) throws IOException {
    byte[] block = new byte[MIB];
    try (OutputStream out = Files.newOutputStream(ballast())) {
      while (usable() >= leftBytes + block.length) {
        out.write(block);
      }
      int rest = (int) Math.max(0, Math.min(block.length, usable() - leftBytes));
      out.write(block, 0, rest);
    } catch (IOException e) {
      // the member has taken the last of it
      if (usable() > leftBytes + MIB) {
        throw e;
      }
    }
  }

  /** As {@link #fill}, of a disk that is too large to be written. */
  public void take(long leftBytes) throws IOException {
    String bytes = Long.toString(usable() - leftBytes);
    HostCommand.run("fallocate", "-l", bytes, ballast().toString());
  }

  private long usable() throws IOException {
    return Files.getFileStore(mount).getUsableSpace();
  }

  /** Gives the room back. */
  public void empty() throws IOException {
    Files.deleteIfExists(ballast());
  }

  private Path ballast() {
    return mount.resolve("ballast");
  }

  /** No write to it ends any more, until {@link #goOn}. */
  public void stop() throws IOException {
    HostCommand.run("fsfreeze", "--freeze", mount.toString());
    stopped = true;
  }

  /** Writes go on. */
  public void goOn() throws IOException {
    if (stopped) {
      HostCommand.run("fsfreeze", "--unfreeze", mount.toString());
      stopped = false;
    }
  }

  @Override
  public void close() throws IOException {
    goOn();
    HostCommand.run("umount", "-l", mount.toString());
    remove();
  }

  private void remove() throws IOException {
    Files.deleteIfExists(image);
    Files.deleteIfExists(mount);
  }
}
