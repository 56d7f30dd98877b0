package io.alrai.dn;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the release before this one has written: a file of a line for each sample, its name and its
 * bytes in hexadecimal digits. {@code -Dformats.record=true} writes the file anew, which only the
 * sources of that release may do: see docs/design/0108-two-releases.md.
 */
public final class RecordedBytes {
  private static final HexFormat HEX = HexFormat.of();

  private RecordedBytes() {}

  /**
   * Compares what is written now with what was, and returns what was.
   *
   * @param name of the file, without its ending
   * @param written by their names
   */
  public static Map<String, byte[]> compared(String name, Map<String, byte[]> written) {
    Path file = Path.of("src/test/resources/formats", name + ".txt");
    StringBuilder now = new StringBuilder();
    written.forEach((sample, bytes) ->
        now.append(sample).append(' ').append(HEX.formatHex(bytes)).append('\n'));
    try {
      if (Boolean.getBoolean("formats.record")) {
        Files.createDirectories(file.getParent());
        Files.writeString(file, now);
      }
      String then = Files.readString(file, StandardCharsets.UTF_8);
      assertEquals(
          then, now.toString(), "the release before this one writes and reads other bytes");
      Map<String, byte[]> recorded = new LinkedHashMap<>();
      for (String line : then.lines().toList()) {
        String[] words = line.split(" ", -1);
        recorded.put(words[0], HEX.parseHex(words[1]));
      }
      return recorded;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
