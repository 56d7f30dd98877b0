package io.alrai.raft;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.server.RaftServerConfigKeys.Log.CorruptionPolicy;
import org.apache.ratis.server.raftlog.segmented.LogSegment;
import org.apache.ratis.server.raftlog.segmented.LogSegmentPath;
import org.apache.ratis.util.SizeInBytes;

/** The files of a log that does not run; nothing is changed. */
public final class LogSegments {
  private static final SizeInBytes ENTRY_MAX = SizeInBytes.valueOf("64MB");

  private LogSegments() {}

  /** All of a log, the first entries first. */
  public static List<LogSegmentPath> of(Path log) throws IOException {
    List<LogSegmentPath> found = new ArrayList<>();
    try (Stream<Path> files = Files.list(log.resolve("current"))) {
      for (Path file : files.toList()) {
        LogSegmentPath segment = LogSegmentPath.matchLogSegment(file);
        if (segment != null) {
          found.add(segment);
        }
      }
    }
    found.sort(Comparator.comparing(LogSegmentPath::getStartEnd));
    return found;
  }

  /**
   * Reads the entries of one.
   *
   * @throws IOException also where an entry is damaged that is not the last one
   */
  public static void read(LogSegmentPath segment, Consumer<LogEntryProto> entries)
      throws IOException {
    LogSegment.readSegmentFile(
        segment.getPath().toFile(),
        segment.getStartEnd(),
        ENTRY_MAX,
        isOpen(segment) ? CorruptionPolicy.WARN_AND_RETURN : CorruptionPolicy.EXCEPTION,
        null,
        entries);
  }

  /** The last one, which a crash may have cut. */
  private static boolean isOpen(LogSegmentPath segment) {
    return String.valueOf(segment.getPath().getFileName()).startsWith("log_inprogress_");
  }
}
