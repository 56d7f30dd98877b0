package io.alrai.dn.fetch;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads Debian's control files, deb822(5): fields of stanzas that blank lines part. */
final class Stanzas {
  private final BufferedReader in;
  private final Set<String> wanted;

  /** Reads these fields and passes over others. */
  Stanzas(BufferedReader in, Set<String> wanted) {
    this.in = in;
    this.wanted = Set.copyOf(wanted);
  }

  /**
   * The next stanza; lines of a longer field are joined by line breaks. Null at the end.
   *
   * @throws FetchException when a field comes twice or a line is none
   */
  @Nullable Map<String, String> next() throws IOException, FetchException {
    Map<String, StringBuilder> fields = new HashMap<>();
    boolean any = false;
    StringBuilder running = null;
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      if (line.isBlank()) {
        if (any) {
          break;
        }
      } else if (line.charAt(0) == ' ' || line.charAt(0) == '\t') {
        if (running != null) {
          running.append('\n').append(line.strip());
        }
      } else {
        any = true;
        int colon = line.indexOf(':');
        if (colon < 1) {
          throw new FetchException("a list of it has a line without a field: " + shortened(line));
        }
        running = null;
        String name = line.substring(0, colon);
        if (wanted.contains(name)) {
          running = new StringBuilder(line.substring(colon + 1).strip());
          if (fields.put(name, running) != null) {
            throw new FetchException("a list of it has the field " + name + " twice");
          }
        }
      }
    }
    if (!any) {
      return null;
    }
    Map<String, String> stanza = new HashMap<>();
    fields.forEach((name, value) -> stanza.put(name, value.toString()));
    return stanza;
  }

  private static String shortened(String line) {
    return line.length() <= 80 ? line : line.substring(0, 80) + "...";
  }
}
