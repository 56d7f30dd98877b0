package io.alrai.gms.server;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.file.DurableFiles;
import io.alrai.gms.raft.GmsGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * What is in a node's data directory. The log of its group is in a directory that has the name of
 * the group's id. Where there are those of two generations the later one counts: the other is what
 * a node had before it was made the group, and is put aside.
 *
 * <pre>
 *  DIR/gms-1/gms.lock
 *           /3f2a..-00          log of generation 0   -- renamed at the next start -->  generation-0
 *           /3f2a..-g           log of a later generation: there as a whole, or not at all
 *           /forced             where it is made
 *           /dropped            the group goes on without this node
 *           /members            who the nodes are, as far as this one knows
 * </pre>
 */
public final class GroupDirectory {
  private static final String ASIDE = "generation-";

  private final String cluster;
  private final Path directory;

  /** The directory of a node of a cluster. */
  public GroupDirectory(String cluster, Path directory) {
    this.cluster = cluster;
    this.directory = directory;
  }

  /** Where the log of a generation is. */
  public Path log(long generation) {
    return directory.resolve(GmsGroup.id(cluster, generation).getUuid().toString());
  }

  /** Where the log of the next generation is made. */
  public Path forced() {
    return directory.resolve("forced");
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
    OptionalLong latest = OptionalLong.empty();
    for (Path entry : directories()) {
      String name = String.valueOf(entry.getFileName());
      OptionalLong generation = generation(name);
      if (generation.isPresent()) {
        latest = OptionalLong.of(Math.max(latest.orElse(0), generation.getAsLong()));
      } else if (!name.startsWith(ASIDE) && !entry.equals(forced())) {
        throw new AlraiException(
            ErrorCode.ALRAI_NODE_UNAVAILABLE,
            "the GMS' data directory "
                + directory
                + " holds "
                + name
                + ", which is not of cluster "
                + cluster);
      }
    }
    return latest;
  }

  /** Puts the logs of earlier generations where they are not started any more. */
  void putAside(long latest) throws IOException {
    for (Path entry : directories()) {
      OptionalLong generation = generation(String.valueOf(entry.getFileName()));
      if (generation.isPresent() && generation.getAsLong() < latest) {
        Files.move(
            entry,
            directory.resolve(ASIDE + generation.getAsLong()),
            StandardCopyOption.ATOMIC_MOVE);
      }
    }
    DurableFiles.force(directory);
  }

  private OptionalLong generation(String name) {
    try {
      return GmsGroup.generation(cluster, UUID.fromString(name));
    } catch (IllegalArgumentException other) {
      return OptionalLong.empty();
    }
  }

  private List<Path> directories() throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.filter(Files::isDirectory).toList();
    }
  }
}
