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
import org.apache.ratis.io.MD5Hash;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.util.MD5FileUtil;

/**
 * Snapshots on disk, in Ratis' own layout so that its snapshot transfer to followers works: {@code
 * snapshot.TERM_INDEX} with an MD5 file beside it. A snapshot appears under its name only when it
 * and its checksum are whole and on disk. Used by one thread at a time.
 */
public final class SnapshotFiles {
  private final SimpleStateMachineStorage storage = new SimpleStateMachineStorage();

  /** None is open. */
  public SnapshotFiles() {}

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

  /** A snapshot of what was applied up to there; it is on disk when this returns. */
  public void write(TermIndex at, byte[] content) throws IOException {
    Path file = storage.getSnapshotFile(at.getTerm(), at.getIndex()).toPath();
    Path partial = file.resolveSibling(file.getFileName() + ".partial");
    MD5Hash md5 = checksum(content);
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
    storage.updateLatestSnapshot(
        new SingleFileSnapshotInfo(new FileInfo(file, md5), at.getTerm(), at.getIndex()));
  }

  private static MD5Hash checksum(byte[] content) {
    return MD5Hash.newInstance(MD5FileUtil.newMD5().digest(content));
  }
}
