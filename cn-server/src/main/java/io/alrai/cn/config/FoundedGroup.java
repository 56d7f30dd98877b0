package io.alrai.cn.config;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.file.DurableFiles;
import io.alrai.common.id.DnId;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;

/**
 * A file {@code group} in the directory of an agent: its DN had one replica, and is a group by now,
 * which this agent has founded. Its one line is what the configuration of a member has: {@code
 * group.dn-1 = dn-1@HOST:PORT/rows}. Without it the DN has one replica. Stateless.
 */
public final class FoundedGroup {
  private FoundedGroup() {}

  private static Path file(Path data, String node) {
    return data.resolve(node).resolve("group");
  }

  /**
   * The group that an agent has founded.
   *
   * @throws AlraiException when there is a file that does not say it
   */
  static Optional<DnGroup> read(Path data, String node) {
    Path file = file(data, node);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      properties.load(reader);
    } catch (IOException | IllegalArgumentException e) {
      throw damaged(file, "it cannot be read: " + e);
    }
    for (String name : properties.stringPropertyNames()) {
      if (name.startsWith(RoleFile.GROUP)) {
        try {
          DnId dn = new DnId(name.substring(RoleFile.GROUP.length()));
          DnGroup group = DnGroup.parse(dn, properties.getProperty(name).strip());
          group.own(node);
          return Optional.of(group);
        } catch (AlraiException e) {
          throw damaged(file, e.sentence());
        } catch (IllegalArgumentException e) {
          throw damaged(file, String.valueOf(e.getMessage()));
        }
      }
    }
    throw damaged(file, "no group is in it");
  }

  /**
   * Writes it; when this returns it is on disk, as a whole.
   *
   * @throws IOException when it is not there
   * @throws UncheckedIOException when it may be there or not
   */
  public static void write(Path data, String node, DnGroup group) throws IOException {
    Path file = file(data, node);
    String text = RoleFile.GROUP + group.dn() + " = " + group.text() + "\n";
    try {
      DurableFiles.replace(file, text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException failed) {
      try {
        Files.deleteIfExists(file);
        DurableFiles.force(data.resolve(node));
      } catch (IOException again) {
        failed.addSuppressed(again);
        throw new UncheckedIOException(file + " may be on disk or not", failed);
      }
      throw failed;
    }
  }

  private static AlraiException damaged(Path file, String why) {
    return new AlraiException(
        ErrorCode.ALRAI_NODE_UNAVAILABLE,
        file + " says in which group its DN is, and cannot be used: " + why + "; bring it back");
  }
}
