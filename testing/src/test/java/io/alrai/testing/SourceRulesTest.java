package io.alrai.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.BlockTree;
import com.sun.source.tree.CatchTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Habits of the house that no compiler knows, over the source of all modules. */
class SourceRulesTest {
  private static final int MOST_LINES = 500;
  private static final int MOST_METHOD_LINES = 60;
  private static final int MOST_PARAMETERS = 8;
  private static final int MOST_COMPONENTS = 12;
  private static final int MOST_FILES_OF_A_PACKAGE = 40;

  /** Records that have more components than others may: no other comes to these. */
  private static final Set<String> LARGE_RECORDS =
      Set.of("CnParts", "NewTable", "Table", "TransactionCounts");

  private static final Pattern EMPTY_NAMES = Pattern.compile("\\w+(Utils?|Helper|Manager|Impl)");
  private static final Pattern TASK = Pattern.compile("\\b(TODO|FIXME|XXX)\\b(?! \\(#\\d+\\))");
  private static final Set<String> CONSOLES =
      Set.of(
          "io.alrai.cn.console",
          "io.alrai.cn.process",
          "io.alrai.microbench.group",
          "io.alrai.tpcc",
          "io.alrai.tpch");

  /**
   * Classes of the agent that read the clock themselves, as they block in real time. All others are
   * given {@code nanos}, or ask the ticker of their event loop.
   */
  private static final Set<String> READ_THE_CLOCK =
      Set.of(
          "dn/fetch/Downloads",
          "dn/mysqld/LeftoverMysqld",
          "dn/mysqld/MysqldProbe",
          "dn/mysqld/MysqldProcess",
          "dn/mysqld/MysqldSupervisor",
          "dn/ship/FeedReader");

  /** How often other modules read it; these numbers only fall. */
  private static final Map<String, Integer> CLOCK_READINGS =
      Map.of(
          "cn-server",
          56,
          "gms",
          2,
          "microbench",
          2,
          "raft",
          2,
          "testing",
          6,
          "tpcc",
          3,
          "tpch",
          2);

  private static final List<Source> SOURCES = new ArrayList<>();

  private record Source(Path file, String text, CompilationUnitTree tree, Trees trees) {
    boolean ships() {
      return file.toString().contains("/src/main/");
    }

    boolean isUnitTest() {
      String name = file.getFileName().toString();
      return name.endsWith("Test.java") || name.endsWith("Sim.java");
    }

    String packageName() {
      return tree.getPackageName().toString();
    }

    String at(Tree place) {
      long start = trees.getSourcePositions().getStartPosition(tree, place);
      return file + ":" + tree.getLineMap().getLineNumber(start);
    }

    long lines(Tree place) {
      long start = trees.getSourcePositions().getStartPosition(tree, place);
      long end = trees.getSourcePositions().getEndPosition(tree, place);
      return tree.getLineMap().getLineNumber(end) - tree.getLineMap().getLineNumber(start) + 1;
    }
  }

  @BeforeAll
  static void parse() throws IOException {
    Path root = Path.of("..").toAbsolutePath().normalize();
    List<Path> files;
    try (Stream<Path> found = Files.walk(root)) {
      files =
          found
              .filter(file -> file.toString().endsWith(".java"))
              .filter(file -> root.relativize(file).toString().matches("[\\w-]+/src/.*"))
              .sorted()
              .toList();
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null,
                  manager,
                  null,
                  List.of("-proc:none"),
                  null,
                  manager.getJavaFileObjectsFromPaths(files));
      Trees trees = Trees.instance(task);
      for (CompilationUnitTree tree : task.parse()) {
        Path file = Path.of(tree.getSourceFile().toUri());
        SOURCES.add(new Source(root.relativize(file), Files.readString(file), tree, trees));
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Looks at one file and names the places that break a rule. */
  private interface Rule {
    void check(Source source, List<String> broken);
  }

  private static void everywhere(Rule rule) {
    List<String> broken = new ArrayList<>();
    SOURCES.forEach(source -> rule.check(source, broken));
    assertEquals(List.of(), broken);
  }

  private static void inTrees(Source source, TreePathScanner<Void, Void> scanner) {
    scanner.scan(source.tree(), null);
  }

  @Test
  void allModulesAreSeen() {
    assertTrue(SOURCES.size() > 700, "only " + SOURCES.size() + " files");
  }

  @Test
  void filesAreShort() {
    everywhere((source, broken) -> {
      long lines = source.text().lines().count();
      if (lines > MOST_LINES) {
        broken.add(source.file() + " has " + lines + " lines");
      }
    });
  }

  @Test
  void methodsAreShortAndTakeFewParameters() {
    everywhere((source, broken) ->
        inTrees(
            source,
            new TreePathScanner<>() {
              @Override
              public Void visitMethod(MethodTree method, Void none) {
                BlockTree body = method.getBody();
                if (body != null && source.lines(body) > MOST_METHOD_LINES) {
                  broken.add(source.at(method) + " has " + source.lines(body) + " lines");
                }
                boolean isRecord = method.getName().contentEquals("<init>");
                if (!isRecord && method.getParameters().size() > MOST_PARAMETERS) {
                  broken.add(
                      source.at(method) + " has " + method.getParameters().size() + " parameters");
                }
                return super.visitMethod(method, none);
              }
            }));
  }

  @Test
  void recordsAreSmall() {
    Set<String> large = new TreeSet<>();
    for (Source source : SOURCES) {
      inTrees(
          source,
          new TreePathScanner<>() {
            @Override
            public Void visitClass(ClassTree type, Void none) {
              long components =
                  type.getMembers().stream()
                      .filter(VariableTree.class::isInstance)
                      .map(member -> ((VariableTree) member).getModifiers().getFlags())
                      .filter(flags -> !flags.contains(Modifier.STATIC))
                      .count();
              if (type.getKind() == Tree.Kind.RECORD && components > MOST_COMPONENTS) {
                large.add(type.getSimpleName().toString());
              }
              return super.visitClass(type, none);
            }
          });
    }
    assertEquals(new TreeSet<>(LARGE_RECORDS), large);
  }

  @Test
  void packagesAreSmall() {
    Map<String, Integer> files = new TreeMap<>();
    for (Source source : SOURCES) {
      if (source.ships() && !source.file().endsWith("package-info.java")) {
        files.merge(source.packageName(), 1, Integer::sum);
      }
    }
    files.values().removeIf(count -> count <= MOST_FILES_OF_A_PACKAGE);
    assertEquals(Map.of(), files);
  }

  @Test
  void namesSayWhatATypeIs() {
    everywhere((source, broken) ->
        inTrees(
            source,
            new TreePathScanner<>() {
              @Override
              public Void visitClass(ClassTree type, Void none) {
                if (EMPTY_NAMES.matcher(type.getSimpleName()).matches()) {
                  broken.add(source.at(type) + " " + type.getSimpleName());
                }
                return super.visitClass(type, none);
              }
            }));
  }

  @Test
  void publicTypesHaveContracts() {
    everywhere((source, broken) ->
        inTrees(
            source,
            new TreePathScanner<>() {
              @Override
              public Void visitClass(ClassTree type, Void none) {
                boolean isPublic = type.getModifiers().getFlags().contains(Modifier.PUBLIC);
                if (source.ships()
                    && isPublic
                    && source.trees().getDocComment(getCurrentPath()) == null) {
                  broken.add(source.at(type) + " " + type.getSimpleName());
                }
                return super.visitClass(type, none);
              }
            }));
  }

  @Test
  void nobodyCatchesThrowable() {
    everywhere((source, broken) ->
        inTrees(
            source,
            new TreePathScanner<>() {
              @Override
              public Void visitCatch(CatchTree caught, Void none) {
                if (caught.getParameter().getType().toString().equals("Throwable")) {
                  broken.add(source.at(caught));
                }
                return super.visitCatch(caught, none);
              }
            }));
  }

  @Test
  void unitTestsDoNotSleep() {
    everywhere((source, broken) -> {
      if (source.isUnitTest() && source.text().contains("Thread" + ".sleep")) {
        broken.add(source.file().toString());
      }
    });
  }

  /**
   * A backquote that one literal opens and another closes has something between them that nobody
   * quotes: names go into texts by {@code Sql}.
   */
  @Test
  void onlySqlPutsNamesIntoQuotes() {
    everywhere((source, broken) ->
        inTrees(
            source,
            new TreePathScanner<>() {
              @Override
              public Void visitLiteral(LiteralTree literal, Void none) {
                String text = String.valueOf(literal.getValue());
                boolean half = text.chars().filter(c -> c == '`').count() % 2 == 1;
                if (source.ships()
                    && half
                    && !source.file().endsWith("common/sql/Sql.java")
                    && becomesText(getCurrentPath().getParentPath().getLeaf())) {
                  broken.add(source.at(literal) + " " + text);
                }
                return super.visitLiteral(literal, none);
              }
            }));
  }

  private static TextRules texts() {
    Map<String, Tree> sources = new TreeMap<>();
    for (Source source : SOURCES) {
      if (source.ships()) {
        String file = source.file().toString();
        sources.put(
            file.replaceFirst(".*/io/alrai/", "").replaceFirst("\\.java$", ""), source.tree());
      }
    }
    return new TextRules(sources);
  }

  @Test
  void wordsOfTextsAreConstants() {
    assertEquals(List.of(), texts().wordsThatAreNoConstants());
  }

  @Test
  void whoWritesTemplatesIsKnown() {
    Map.Entry<Set<String>, Set<String>> writes = texts().writesTemplates();
    assertEquals(writes.getKey(), writes.getValue());
  }

  @Test
  void whoTakesOverTextOfOthersIsKnown() {
    Map.Entry<Set<String>, Set<String>> takesOver = texts().takesOver();
    assertEquals(takesOver.getKey(), takesOver.getValue());
  }

  @Test
  void whatSendsTextsTakesThemAsSql() {
    assertEquals(Set.of(), texts().sinksOfStrings());
    assertEquals(List.of(), texts().textsSentAsBytes());
  }

  private static boolean becomesText(Tree user) {
    return switch (user) {
      case BinaryTree binary -> binary.getKind() == Tree.Kind.PLUS;
      case MethodInvocationTree call ->
          call.getMethodSelect()
                  .toString()
                  .matches("(?s).*\\b(append|add|join|joining|formatted|format)")
              && !call.getMethodSelect().toString().equals("shape.append");
      default -> false;
    };
  }

  /** The common pool has one thread on a machine of two processors, and libraries wait for it. */
  @Test
  void nobodyBlocksTheCommonPool() {
    everywhere((source, broken) ->
        inTrees(
            source,
            new TreePathScanner<>() {
              @Override
              public Void visitMethodInvocation(MethodInvocationTree call, Void none) {
                String called = call.getMethodSelect().toString();
                boolean withoutExecutor =
                    called.matches("CompletableFuture\\.(run|supply)Async")
                        && call.getArguments().size() == 1;
                if (withoutExecutor || called.endsWith(".parallelStream")) {
                  broken.add(source.at(call) + " " + called);
                }
                return super.visitMethodInvocation(call, none);
              }
            }));
  }

  private static List<Source> clockReadings() {
    List<Source> readings = new ArrayList<>();
    for (Source source : SOURCES) {
      inTrees(
          source,
          new TreePathScanner<>() {
            @Override
            public Void visitMethodInvocation(MethodInvocationTree call, Void none) {
              if (source.ships() && call.getMethodSelect().toString().equals("System.nanoTime")) {
                readings.add(source);
              }
              return super.visitMethodInvocation(call, none);
            }
          });
    }
    return readings;
  }

  /** A test steps what it passes in. */
  @Test
  void timeIsPassedIn() {
    Set<String> agents = new TreeSet<>();
    Map<String, Integer> others = new TreeMap<>();
    for (Source reading : clockReadings()) {
      String module = reading.file().getName(0).toString();
      if (module.equals("dn-agent")) {
        agents.add(reading.file().toString().replaceFirst(".*/io/alrai/", "").replace(".java", ""));
      } else {
        others.merge(module, 1, Integer::sum);
      }
    }
    assertEquals(new TreeSet<>(READ_THE_CLOCK), agents);
    others.forEach((module, count) ->
        assertTrue(
            count <= CLOCK_READINGS.getOrDefault(module, 0),
            module + " reads the clock " + count + " times"));
  }

  @Test
  void onlyConsolesPrint() {
    everywhere((source, broken) -> {
      if (!source.ships() || CONSOLES.contains(source.packageName())) {
        return;
      }
      inTrees(
          source,
          new TreePathScanner<>() {
            @Override
            public Void visitMemberSelect(MemberSelectTree select, Void none) {
              String text = select.toString();
              if (text.equals("System.out") || text.equals("System.err")) {
                broken.add(source.at(select));
              }
              return super.visitMemberSelect(select, none);
            }
          });
    });
  }

  @Test
  void tasksNameTheirIssue() {
    everywhere((source, broken) -> {
      if (!source.file().endsWith("SourceRulesTest.java") && TASK.matcher(source.text()).find()) {
        broken.add(source.file().toString());
      }
    });
  }

  @Test
  void everyPackageSaysWhatItIs() {
    Set<String> all = new TreeSet<>();
    Set<String> told = new TreeSet<>();
    for (Source source : SOURCES) {
      if (source.ships()) {
        all.add(source.packageName());
        boolean info = source.file().endsWith("package-info.java");
        if (info && source.text().contains("@NullMarked") && source.text().contains("/**")) {
          told.add(source.packageName());
        }
      }
    }
    all.removeAll(told);
    assertEquals(Set.of(), all);
  }

  @Test
  void testsSayWhichTierTheyAre() {
    everywhere((source, broken) -> {
      String name = source.file().getFileName().toString().toLowerCase(Locale.ROOT);
      boolean tests = !source.ships() && source.text().contains("\n  @Test");
      if (tests && !name.matches(".*(test|sim|it)\\.java")) {
        broken.add(source.file().toString());
      }
    });
  }
}
