package io.alrai.raft;

import io.alrai.common.file.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The logs in a member's directory. Each is in a directory that has the name of its group's id;
 * Ratis starts all that are there. Where there are those of two generations the later one counts:
 * the other is what the member had before it was made the group, and is put aside.
 *
 * <pre>
 *  DIR/3f2a..-00          log of generation 0   -- renamed at the next start -->  generation-0
 *     /3f2a..-g           log of a later generation: there as a whole, or not at all
 *     /forced             where it is made
 * </pre>
 *
 * @param directory which may not be there
 */
public record GenerationLogs(GroupIds ids, Path directory) {
  private static final String ASIDE = "generation-";

  /** Where the log of a generation is. */
  public Path log(long generation) {
    return directory.resolve(ids.of(generation).getUuid().toString());
  }

  /** Where the log of the next generation is made. */
  public Path forced() {
    return directory.resolve("forced");
  }

  /** The latest generation of which a log is there; empty where there is none. */
  public OptionalLong latest() throws IOException {
    return directories().stream().map(this::generation).flatMapToLong(OptionalLong::stream).max();
  }

  /** The names of directories that are nobody's log. */
  public List<String> strangers() throws IOException {
    return directories().stream()
        .filter(entry -> generation(entry).isEmpty() && !entry.equals(forced()))
        .map(GenerationLogs::name)
        .filter(name -> !name.startsWith(ASIDE))
        .toList();
  }

  /** Puts the logs of earlier generations where they are not started any more. */
  public void putAside(long latest) throws IOException {
    for (Path entry : directories()) {
      OptionalLong generation = generation(entry);
      if (generation.isPresent() && generation.getAsLong() < latest) {
        Files.move(
            entry,
            directory.resolve(ASIDE + generation.getAsLong()),
            StandardCopyOption.ATOMIC_MOVE);
        DurableFiles.force(directory);
      }
    }
  }

  private OptionalLong generation(Path entry) {
    try {
      return ids.generation(UUID.fromString(name(entry)));
    } catch (IllegalArgumentException other) {
      return OptionalLong.empty();
    }
  }

  private static String name(Path entry) {
    return String.valueOf(entry.getFileName());
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
