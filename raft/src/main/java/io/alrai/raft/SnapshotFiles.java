package io.alrai.raft;

import io.alrai.common.file.DurableFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.ratis.io.MD5Hash;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.util.MD5FileUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Snapshots on disk, in Ratis' own layout so that its snapshot transfer to followers works: {@code
 * snapshot.TERM_INDEX} with an MD5 file beside it. A snapshot appears under its name only when it
 * and its checksum are whole and on disk. Used by one thread at a time.
 */
public final class SnapshotFiles {
  private static final Logger log = LoggerFactory.getLogger(SnapshotFiles.class);
  private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final SimpleStateMachineStorage storage = new SimpleStateMachineStorage();
  private final LongSupplier nanoTime;
  private boolean failed;
  private long failedNanos;

  /** None is open. */
  public SnapshotFiles() {
    this(System::nanoTime);
  }

  SnapshotFiles(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** For Ratis. */
  public SimpleStateMachineStorage storage() {
    return storage;
  }

  /** Where they are from now on. */
  public void open(RaftStorage raftStorage) throws IOException {
    storage.init(raftStorage);
  }

  /** Looks on disk for the newest snapshot. */
  public Optional<SingleFileSnapshotInfo> newest() {
    return Optional.ofNullable(storage.loadLatestSnapshot())
        .filter(found -> Files.exists(found.getFile().getPath()));
  }

  /**
   * A snapshot's content.
   *
   * @throws IOException also when it does not have its checksum
   */
  public byte[] read(SingleFileSnapshotInfo snapshot) throws IOException {
    Path file = snapshot.getFile().getPath();
    MD5Hash stored = MD5FileUtil.readStoredMd5ForFile(file.toFile());
    byte[] content = Files.readAllBytes(file);
    if (stored == null || !stored.equals(checksum(content))) {
      throw new IOException(
          "the snapshot "
              + file
              + " is damaged: its content does not have its checksum. Where the group has other"
              + " members, empty this one's directory and start it again");
    }
    return content;
  }

  /**
   * As {@link #write}, where its failure only means that the log is kept for longer: the reason is
   * logged, and for some seconds nothing is written then, as on a full disk each entry would have
   * it tried again.
   *
   * @return whether it is on disk
   */
  public boolean tryWrite(TermIndex at, Supplier<byte[]> content) {
    long now = nanoTime.getAsLong();
    if (failed && now - failedNanos < AGAIN_NANOS) {
      return false;
    }
    try {
      write(at, content.get());
      failed = false;
    } catch (IOException e) {
      failed = true;
      failedNanos = now;
      log.error("no snapshot in {}: {}", storage.getSnapshotFile(0, 0).getParent(), e.toString());
    }
    return !failed;
  }

  /** A snapshot of what was applied up to there; it is on disk when this returns. */
  public void write(TermIndex at, byte[] content) throws IOException {
    Path file = storage.getSnapshotFile(at.getTerm(), at.getIndex()).toPath();
    Path partial = file.resolveSibling(file.getFileName() + ".partial");
    MD5Hash md5 = checksum(content);
    try {
      write(file, partial, content, md5);
    } catch (IOException e) {
      // each one has a name of its own: on a full disk they would become more and more
      delete(partial, e);
      delete(MD5FileUtil.getDigestFileForFile(file.toFile()).toPath(), e);
      throw e;
    }
    storage.updateLatestSnapshot(
        new SingleFileSnapshotInfo(new FileInfo(file, md5), at.getTerm(), at.getIndex()));
  }

  private static void delete(Path left, IOException failure) {
    try {
      Files.deleteIfExists(left);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  private static void write(Path file, Path partial, byte[] content, MD5Hash md5)
      throws IOException {
    try (FileChannel out =
        FileChannel.open(
            partial,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer left = ByteBuffer.wrap(content);
      while (left.hasRemaining()) {
        out.write(left);
      }
      out.force(true);
    }
    // First the checksum, then the name: a crash between the two leaves no snapshot without one.
    MD5FileUtil.saveMD5File(file.toFile(), md5);
    Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    DurableFiles.force(file.resolveSibling("."));
  }

  private static MD5Hash checksum(byte[] content) {
    return MD5Hash.newInstance(MD5FileUtil.newMD5().digest(content));
  }
}
