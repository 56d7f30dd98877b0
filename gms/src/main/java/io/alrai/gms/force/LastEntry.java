package io.alrai.gms.force;

import io.alrai.common.error.AlraiException;
import io.alrai.gms.api.CatalogCommand.RenewComputeNode;
import io.alrai.gms.api.node.GmsPeer;
import io.alrai.gms.command.GmsCodec;
import io.alrai.gms.command.LogCommand;
import io.alrai.gms.command.LogEntry;
import io.alrai.gms.raft.GmsGroup;
import io.alrai.raft.LogSegments;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.raftlog.LogProtoUtils;
import org.apache.ratis.server.raftlog.segmented.LogSegmentPath;

/**
 * What the log of a node ends with, read from its files while the node does not run; nothing is
 * changed.
 *
 * @param term of the last entry; 0 where there is none
 * @param index of the last entry; -1 where there is none
 * @param at when it was written, to a second while CNs renew their leases
 * @param members those who vote, by the last entry that says it
 */
record LastEntry(long term, long index, Instant at, List<GmsPeer> members) {
  LastEntry {
    members = List.copyOf(members);
  }

  /**
   * Reads the log in a directory.
   *
   * @throws IOException also where an entry is damaged that is not the last one
   */
  static LastEntry of(Path log) throws IOException {
    Path current = log.resolve("current");
    Reading reading = new Reading();
    Path configuration = current.resolve("raft-meta.conf");
    if (Files.exists(configuration)) {
      try (InputStream in = Files.newInputStream(configuration)) {
        reading.configuration(LogEntryProto.newBuilder().mergeFrom(in).build());
      }
    }
    reading.snapshots(log.resolve("sm"));
    for (LogSegmentPath segment : LogSegments.of(log)) {
      LogSegments.read(segment, reading::entry);
      reading.seen(Files.getLastModifiedTime(segment.getPath()).toInstant());
    }
    return reading.result();
  }

  private static final class Reading {
    private final GmsCodec codec = new GmsCodec();
    private long term;
    private long index = -1;
    private long configured = -1;
    private long millis;
    private Instant written = Instant.EPOCH;
    private List<GmsPeer> members = List.of();

    void entry(LogEntryProto entry) {
      if (entry.getIndex() >= index) {
        term = entry.getTerm();
        index = entry.getIndex();
      }
      if (entry.hasConfigurationEntry()) {
        configuration(entry);
      } else if (entry.hasStateMachineLogEntry()) {
        millis = Math.max(millis, millis(entry));
      }
    }

    void configuration(LogEntryProto entry) {
      if (entry.getIndex() < configured) {
        return;
      }
      configured = entry.getIndex();
      members =
          LogProtoUtils.toRaftConfiguration(entry).getCurrentPeers().stream()
              .map((RaftPeer peer) -> GmsGroup.peer(peer))
              .sorted(Comparator.comparing(peer -> peer.id().name()))
              .toList();
    }

    /** {@code snapshot.TERM_INDEX}: of what is left of the log there may be none. */
    void snapshots(Path directory) throws IOException {
      if (!Files.isDirectory(directory)) {
        return;
      }
      try (Stream<Path> files = Files.list(directory)) {
        for (Path file : files.toList()) {
          String name = String.valueOf(file.getFileName());
          if (name.matches("snapshot\\.\\d+_\\d+")) {
            long at = Long.parseLong(name.substring(name.indexOf('_') + 1));
            if (at > index) {
              index = at;
              term = Long.parseLong(name.substring(name.indexOf('.') + 1, name.indexOf('_')));
              seen(Files.getLastModifiedTime(file).toInstant());
            }
          }
        }
      }
    }

    void seen(Instant modified) {
      written = modified.isAfter(written) ? modified : written;
    }

    /** When a leader wrote it, where that is in it; else 0. */
    private long millis(LogEntryProto entry) {
      try {
        byte[] content = entry.getStateMachineLogEntry().getLogData().toByteArray();
        return switch (codec.decode(content, LogEntry.class).command()) {
          case LogCommand.ReserveTimestamps reserve -> reserve.nowMillis();
          case LogCommand.Change change when change.command() instanceof RenewComputeNode renew ->
              renew.nowMillis();
          case LogCommand.Change _, LogCommand.ReserveNumbers _, LogCommand.RaiseNumbers _ -> 0;
        };
      } catch (AlraiException unknown) {
        return 0; // the node says so when it starts
      }
    }

    LastEntry result() {
      return new LastEntry(
          term, index, millis > 0 ? Instant.ofEpochMilli(millis) : written, members);
    }
  }
}
