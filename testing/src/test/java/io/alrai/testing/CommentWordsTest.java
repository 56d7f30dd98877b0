package io.alrai.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Comments do without the words of {@code comment-words.txt}, which native speakers read twice. The
 * list has how often each is used today: a number may only fall. Whoever removes some lowers it.
 */
class CommentWordsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path LIST =
      Path.of("src", "test", "resources", "io", "alrai", "testing", "comment-words.txt");
  private static final int MOST_SHOWN = 10;

  private static final List<Source> SOURCES = new ArrayList<>();

  private record Source(Path file, FileTime changed, List<String> comments) {
    long count(Pattern word) {
      return comments.stream().mapToLong(comment -> word.matcher(comment).results().count()).sum();
    }
  }

  /** A line of the list: {@code 12 | pattern | what to say instead}. */
  private record Word(long allowed, Pattern pattern, String instead) {
    static Word of(String line) {
      String[] parts = line.split(" \\| ", 3);
      return new Word(Long.parseLong(parts[0]), Pattern.compile(parts[1]), parts[2]);
    }
  }

  @BeforeAll
  static void read() throws IOException {
    List<Path> files;
    try (Stream<Path> found = Files.walk(ROOT)) {
      files =
          found
              .filter(file -> ROOT.relativize(file).toString().matches("[\\w-]+/src/.*\\.java"))
              .toList();
    }
    for (Path file : files) {
      SOURCES.add(
          new Source(
              ROOT.relativize(file),
              Files.getLastModifiedTime(file),
              comments(Files.readString(file))));
    }
    SOURCES.sort(Comparator.comparing(Source::changed).reversed());
  }

  /** The comments of a source, each as one line without its marks. */
  private static List<String> comments(String source) {
    List<String> comments = new ArrayList<>();
    int at = 0;
    while (at < source.length()) {
      int end;
      if (source.startsWith("/*", at)) {
        end = after(source, "*/", at + 2);
        comments.add(plain(source.substring(at, end)));
      } else if (source.startsWith("//", at)) {
        end = after(source, "\n", at);
        comments.add(plain(source.substring(at, end)));
      } else if (source.startsWith("\"\"\"", at)) {
        end = afterLiteral(source, "\"\"\"", at);
      } else if (source.charAt(at) == '"' || source.charAt(at) == '\'') {
        end = afterLiteral(source, source.substring(at, at + 1), at);
      } else {
        end = at + 1;
      }
      at = end;
    }
    return comments;
  }

  private static int after(String source, String mark, int from) {
    int found = source.indexOf(mark, from);
    return found < 0 ? source.length() : found + mark.length();
  }

  private static int afterLiteral(String source, String quote, int start) {
    int at = start + quote.length();
    while (at < source.length() && !source.startsWith(quote, at)) {
      at += source.charAt(at) == '\\' ? 2 : 1;
    }
    return at + quote.length();
  }

  private static String plain(String comment) {
    return comment
        .replaceFirst("^(/\\*\\*?|//)", "")
        .replaceFirst("\\*/$", "")
        .replaceAll("\\s*\\n\\s*\\*?\\s*", " ")
        .strip();
  }

  @Test
  void wordsThatAreHardToReadBecomeFewer() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (String line : Files.readAllLines(LIST)) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      Word word = Word.of(line);
      long found = SOURCES.stream().mapToLong(source -> source.count(word.pattern())).sum();
      if (found > word.allowed()) {
        wrong.add(
            "%d instead of %d: %s (say: %s); the files changed last: %s"
                .formatted(found, word.allowed(), word.pattern(), word.instead(), places(word)));
      } else if (found < word.allowed()) {
        wrong.add(
            "well done: lower %d to %d for %s in %s"
                .formatted(word.allowed(), found, word.pattern(), LIST));
      }
    }
    assertEquals(List.of(), wrong);
  }

  private static List<String> places(Word word) {
    return SOURCES.stream()
        .filter(source -> source.count(word.pattern()) > 0)
        .map(source -> source.file() + " " + source.count(word.pattern()))
        .limit(MOST_SHOWN)
        .toList();
  }

  @Test
  void commentsAreFoundAndLiteralsAreNot() {
    assertEquals(
        List.of("One line.", "It has two.", "at the end"),
        comments(
            "/** One line. */\nString a = \"// no /* b\\\" */\"; char c = '\"';\n"
                + "  /**\n   * It has\n   * two.\n   */\nString t = \"\"\"\n  // no \"\" \\\"\"\"\n"
                + "  \"\"\"; // at the end\n"));
  }
}
