package io.alrai.dist;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The licenses of the jars: the texts that they bring, and a list of what each is under. */
final class Licenses {
  private static final Pattern TEXT =
      Pattern.compile("(?i)(.*/)?(licen[sc]e|notice|copying|copyright)s?[^/]*(?<!\\.class)");

  private Licenses() {}

  /** Copies the texts out of a jar into a directory, which is made only where there are some. */
  static void copy(Path jar, Path directory) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      List<JarEntry> texts =
          file.stream()
              .filter(entry -> !entry.isDirectory() && TEXT.matcher(entry.getName()).matches())
              .toList();
      for (JarEntry text : texts) {
        Files.createDirectories(directory);
        try (InputStream in = file.getInputStream(text)) {
          Files.copy(in, directory.resolve(text.getName().replace('/', '_')));
        }
      }
    }
  }

  /** A line for each part of the SBOM: its name, version and licenses. */
  static String list(Path sbom) throws IOException {
    TreeSet<String> lines = new TreeSet<>();
    for (JsonNode part : new ObjectMapper().readTree(sbom.toFile()).path("components")) {
      String licenses =
          part.path("licenses")
              .valueStream()
              .map(Licenses::name)
              .collect(Collectors.joining(" or "));
      lines.add(
          part.path("group").asText()
              + ":"
              + part.path("name").asText()
              + " "
              + part.path("version").asText()
              + ": "
              + (licenses.isEmpty() ? "its POM names none" : licenses));
    }
    return String.join("\n", lines) + "\n";
  }

  private static String name(JsonNode license) {
    if (license.has("expression")) {
      return license.path("expression").asText();
    }
    JsonNode named = license.path("license");
    return named.has("id") ? named.path("id").asText() : named.path("name").asText();
  }
}
