package io.alrai.raft;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.RaftServerConfigKeys.Log.CorruptionPolicy;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.server.storage.RaftStorageImpl;
import org.apache.ratis.server.storage.RaftStorageMetadata;
import org.apache.ratis.server.storage.StorageImplUtils;
import org.apache.ratis.util.SizeInBytes;

/** A log that does not run and shall be one member's alone. */
public final class LoneLog {
  private LoneLog() {}

  /**
   * Writes a term above all that the others can come to, and a configuration after all others.
   *
   * @param copy of the log, which nobody uses
   * @param last the index of its last entry
   */
  public static void make(Path copy, RaftPeer self, long generation, long last) throws IOException {
    try (RaftStorageImpl storage =
        StorageImplUtils.newRaftStorage(
            copy.toFile(),
            SizeInBytes.valueOf("0"),
            RaftStorage.StartupOption.RECOVER,
            CorruptionPolicy.EXCEPTION)) {
      storage.initialize();
      storage
          .getMetadataFile()
          .persist(RaftStorageMetadata.valueOf(GroupIds.firstTerm(generation), self.getId()));
      storage.writeRaftConfiguration(
          LogEntryProto.newBuilder()
              .setTerm(GroupIds.firstTerm(generation))
              .setIndex(last + 1)
              .setConfigurationEntry(
                  RaftConfigurationProto.newBuilder().addPeers(self.getRaftPeerProto()))
              .build());
    }
  }
}
