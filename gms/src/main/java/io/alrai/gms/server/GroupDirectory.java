package io.alrai.gms.server;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.raft.GmsGroup;
import io.alrai.raft.GenerationLogs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * What is in a node's data directory.
 *
 * <pre>
 *  DIR/gms-1/gms.lock
 *           /..                 its logs, see {@link GenerationLogs}
 *           /dropped            the group goes on without this node
 *           /members            who the nodes are, as far as this one knows
 * </pre>
 */
public final class GroupDirectory {
  private final String cluster;
  private final Path directory;
  private final GenerationLogs logs;

  /** The directory of a node of a cluster. */
  public GroupDirectory(String cluster, Path directory) {
    this.cluster = cluster;
    this.directory = directory;
    this.logs = new GenerationLogs(GmsGroup.ids(cluster), directory);
  }

  /** Its logs. */
  public GenerationLogs logs() {
    return logs;
  }

  /** A file that says who the nodes are. */
  public Path members() {
    return directory.resolve("members");
  }

  private Path dropped() {
    return directory.resolve("dropped");
  }

  /** Whether the group goes on without this node. */
  public boolean isDropped() {
    return Files.exists(dropped());
  }

  /** The group goes on without this node, which must not be started again. */
  void drop(String why) throws IOException {
    Files.writeString(dropped(), why + "\n");
  }

  /**
   * The latest generation of which a log is there; empty where there is none.
   *
   * @throws AlraiException ALRAI_NODE_UNAVAILABLE where there is anything else
   */
  public OptionalLong generation() throws IOException {
    List<String> strangers = logs.strangers();
    if (!strangers.isEmpty()) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE,
          "the GMS' data directory "
              + directory
              + " holds "
              + strangers.getFirst()
              + ", which is not of cluster "
              + cluster);
    }
    return logs.latest();
  }
}
