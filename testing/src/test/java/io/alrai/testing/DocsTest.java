package io.alrai.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Pages of the documentation name what exists, and their links lead somewhere. */
class DocsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /** Pages on which each name of a class in backquotes must be one of the sources. */
  private static final List<String> PAGES_WITH_CLASSES =
      List.of("docs/architecture.md", "docs/glossary.md", "docs/features.md", "CONTRIBUTING.md");

  /**
   * {@code `Gate`}, {@code `Gate.arrived`}, {@code `Effect.Ack`}; {@code FooTest} is an example.
   */
  private static final Pattern CODE =
      Pattern.compile("`((?!Foo)[A-Z][a-z0-9]\\w*)(?:\\.([A-Za-z]\\w*))?(?:\\(\\))?`");

  /** {@code `cn.command`}. */
  private static final Pattern PACKAGE =
      Pattern.compile("`((?:common|gms|dn|cn|optimizer|executor|columnar)(?:\\.[a-z]+)+)`");

  private static final Pattern TYPE = Pattern.compile("\\b(?:class|interface|record|enum) (\\w+)");
  private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.+)$");
  private static final Pattern DESIGN_PAGE = Pattern.compile("\\d{4}-[\\w-]+\\.md");
  private static final int LONGEST_LINE = 120;

  /**
   * Fenced, or indented after a blank line or a heading; rows of tables; one word, as a link may
   * be.
   */
  private static final Pattern NEVER_WRAPPED =
      Pattern.compile(
          "(?m)(?s:^```.*?^```$)|(?<=^(?:#.{0,99})?\\n)(?: {4}.*\\n)+|^ *\\|.*$|^(?: *[-*] )? *\\S+$");

  private static final Pattern FENCED = Pattern.compile("(?ms)^```.*?^```$");

  /** The text of the file of each type, nested ones included, by its simple name. */
  private static final Map<String, String> TYPES = new HashMap<>();

  /** {@code `io.alrai.cn.tx.ClientXa`} and {@code `cn.tx.ClientXa`}. */
  private static final Pattern QUALIFIED =
      Pattern.compile(
          "`(?:io\\.alrai\\.)?((?:common|gms|dn|cn|optimizer|executor|columnar)(?:\\.[a-z]+)+)"
              + "\\.([A-Z]\\w*)(?:\\.\\w+)*`");

  /** Without {@code io.alrai}. */
  private static final Set<String> PACKAGES = new HashSet<>();

  /** {@code cn.tx.ClientXa}, one for each file. */
  private static final Set<String> QUALIFIED_NAMES = new HashSet<>();

  @BeforeAll
  static void findTypes() throws IOException {
    for (Path file : files("[\\w-]+/src/(main|test)/java/.*\\.java")) {
      String text = Files.readString(file);
      String name = file.toString().replaceFirst(".*/io/alrai/", "").replace('/', '.');
      QUALIFIED_NAMES.add(name.replaceFirst("\\.java$", ""));
      PACKAGES.add(name.replaceFirst("\\.[\\w-]+\\.java$", ""));
      TYPE.matcher(text)
          .results()
          .forEach(type -> TYPES.merge(type.group(1), text, String::concat));
    }
  }

  private static List<Path> files(String pattern) throws IOException {
    try (Stream<Path> found = Files.walk(ROOT)) {
      return found
          .filter(file -> ROOT.relativize(file).toString().matches(pattern))
          .sorted()
          .toList();
    }
  }

  private static List<String> unknownNames(String page) {
    List<String> unknown = new ArrayList<>();
    Matcher code = CODE.matcher(page);
    while (code.find()) {
      String source = TYPES.get(code.group(1));
      String member = code.group(2);
      if (source == null || member != null && !has(source, member)) {
        unknown.add(code.group());
      }
    }
    return unknown;
  }

  private static boolean has(String source, String member) {
    return Pattern.compile("\\b" + member + "\\b[ (]").matcher(source).find();
  }

  @Test
  void pagesNameClassesThatExist() throws IOException {
    for (String page : PAGES_WITH_CLASSES) {
      assertEquals(List.of(), unknownNames(Files.readString(ROOT.resolve(page))), page);
    }
  }

  @Test
  void aNameThatDoesNotExistIsFound() {
    assertEquals(
        List.of("`NoSuchGate`", "`DocsTest.noSuchMethod`"),
        unknownNames(
            "`NoSuchGate` `DocsTest` `DocsTest.noSuchMethod` `DocsTest.findTypes` `SHOW` `x`"));
  }

  @Test
  void pagesNamePackagesThatExist() throws IOException {
    for (String page : PAGES_WITH_CLASSES) {
      List<String> unknown =
          PACKAGE
              .matcher(Files.readString(ROOT.resolve(page)))
              .results()
              .map(name -> name.group(1))
              .filter(name -> !PACKAGES.contains(name))
              .toList();
      assertEquals(List.of(), unknown, page);
    }
  }

  @Test
  void qualifiedNamesAreRight() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (Path page : files("docs/.*\\.md")) {
      QUALIFIED
          .matcher(Files.readString(page))
          .results()
          .filter(name -> !QUALIFIED_NAMES.contains(name.group(1) + "." + name.group(2)))
          .forEach(name -> wrong.add(ROOT.relativize(page) + ": " + name.group()));
    }
    assertEquals(List.of(), wrong);
  }

  @Test
  void theArchitectureHasClassesInEachWalk() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/architecture.md"));
    for (String section : page.split("(?m)^## ", -1)) {
      if (section.startsWith("Walk ")) {
        long named = CODE.matcher(section).results().map(MatchResult::group).distinct().count();
        assertTrue(named > 7, section.lines().findFirst() + " names " + named + " classes");
      }
    }
  }

  @Test
  void linksLeadSomewhere() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path page : files("([A-Z]+|(docs|bench|docker)/.*)\\.md")) {
      for (String link : links(Files.readString(page))) {
        if (!resolves(page, link)) {
          broken.add(ROOT.relativize(page) + ": " + link);
        }
      }
    }
    assertEquals(List.of(), broken);
  }

  private static List<String> links(String text) {
    return LINK.matcher(FENCED.matcher(text).replaceAll(""))
        .results()
        .map(link -> link.group(1))
        .filter(link -> !link.matches("[a-z]+:.*"))
        .toList();
  }

  private static boolean resolves(Path page, String link) throws IOException {
    int anchor = link.indexOf('#');
    String file = anchor < 0 ? link : link.substring(0, anchor);
    Path target = file.isEmpty() ? page : page.resolveSibling(file).normalize();
    if (!Files.exists(target)) {
      return false;
    }
    return anchor < 0 || anchors(Files.readString(target)).contains(link.substring(anchor + 1));
  }

  /** As hosting pages make them of headings. */
  private static Set<String> anchors(String text) {
    Set<String> anchors = new HashSet<>();
    HEADING
        .matcher(FENCED.matcher(text).replaceAll(""))
        .results()
        .map(heading -> heading.group(1).strip().toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
        .forEach(anchors::add);
    return anchors;
  }

  @Test
  void linksToNothingAreFound() throws IOException {
    Path page = ROOT.resolve("README.md");
    assertEquals(List.of("a.md#b", "#c"), links("[x](a.md#b) [y](https://e.org) [z](#c)"));
    assertTrue(resolves(page, "docs/design"));
    assertTrue(!resolves(page, "docs/design/9999-nothing.md"));
    assertTrue(!resolves(page, "CONTRIBUTING.md#no-such-heading"));
    assertEquals(Set.of("0053-one-table-of-it"), anchors("# 0053: One `table` of it\n"));
  }

  @Test
  void linesAreWrapped() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (Path page : files("([A-Z]+|(docs|bench|docker)/.*)\\.md")) {
      for (String line : longLines(Files.readString(page))) {
        wrong.add(ROOT.relativize(page) + ": " + line);
      }
    }
    assertEquals(List.of(), wrong);
  }

  private static List<String> longLines(String text) {
    return NEVER_WRAPPED
        .matcher(text)
        .replaceAll("")
        .lines()
        .filter(line -> line.length() > LONGEST_LINE)
        .toList();
  }

  @Test
  void longLinesOfProseAreFound() {
    String words = "word ".repeat(24) + "s";
    String word = "w".repeat(130);
    assertEquals(List.of(words, "- " + words), longLines(words + "\n\n- " + words + "\n"));
    assertEquals(List.of("    " + words), longLines("- an item\n    " + words + "\n"));
    assertEquals(
        List.of(),
        longLines(
            "# a\n    %1$s\n\n    %1$s\n    %1$s\n\n| %1$s |\n\n```\n%1$s\n```\n%2$s\n- %2$s\n%3$s\n"
                .formatted(words, word, "word ".repeat(23) + "wordy")));
  }

  @Test
  void designPagesHaveNumberTitleAndStatus() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (Path page : files("docs/design/" + DESIGN_PAGE)) {
      String number = page.getFileName().toString().substring(0, 4);
      String form = "(?s)# " + number + ": [^\n]+\n\nStatus: \\w.*";
      if (!Files.readString(page).matches(form)) {
        wrong.add(ROOT.relativize(page).toString());
      }
    }
    assertEquals(List.of(), wrong);
  }

  @Test
  void theIndexListsEachDesignPageOnce() throws IOException {
    List<String> pages =
        files("docs/design/" + DESIGN_PAGE).stream()
            .map(page -> page.getFileName().toString())
            .toList();
    // the first cell of a row is the page; other cells may name others that it amends
    List<String> listed =
        Pattern.compile("(?m)^\\| \\[[^\\]]*\\]\\((" + DESIGN_PAGE + ")\\)")
            .matcher(Files.readString(ROOT.resolve("docs/design/README.md")))
            .results()
            .map(row -> row.group(1))
            .sorted()
            .toList();
    assertEquals(pages, listed);
    assertEquals(listed.size(), new TreeSet<>(listed).size());
  }
}
