import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Counts what tells of the structure of the sources, without building them. Run it in the
 * repository's root: {@code java .ci/HouseCounts.java [DIRECTORY]}. One line each: name, count.
 */
final class HouseCounts {
  private static final Pattern BEHIND = Pattern.compile("^\\s*(\\*|//|/\\*\\*).*\\bbehind\\b");
  private static final Pattern THE_SAME = Pattern.compile("/\\*\\* The same\\b");

  /** A file that ships. */
  private record Source(Path file, String packageName, String text, CompilationUnitTree tree) {
    String name() {
      return file.getFileName().toString().replace(".java", "");
    }
  }

  private final List<Source> sources = new ArrayList<>();
  private final Map<String, Integer> counts = new TreeMap<>();
  private SourcePositions positions;

  private HouseCounts() {}

  void main(String[] arguments) throws IOException {
    Path root = Path.of(arguments.length > 0 ? arguments[0] : ".").toAbsolutePath().normalize();
    parse(root);
    Map<String, Integer> files = new TreeMap<>();
    for (Source source : sources) {
      if (!source.name().equals("package-info")) {
        files.merge(source.packageName(), 1, Integer::sum);
      }
      lines(source);
      source.tree().accept(new Counter(source), null);
    }
    put("packages", files.size());
    put("packages.over25", files.values().stream().filter(n -> n > 25).count());
    put("packages.over40", files.values().stream().filter(n -> n > 40).count());
    put("packages.inCycles", inCycles(files.keySet()));
    put(
        "session.importers",
        sources.stream()
            .filter(source -> source.text().contains("import io.alrai.cn.session.Session;"))
            .count());
    unitTests(root);
    counts.forEach((name, count) -> IO.println("%-34s %7d".formatted(name, count)));
  }

  private void put(String name, long count) {
    counts.put(name, (int) count);
  }

  private void add(String name, long more) {
    counts.merge(name, (int) more, Integer::sum);
  }

  private void parse(Path root) throws IOException {
    List<Path> files;
    try (Stream<Path> found = Files.walk(root)) {
      files =
          found
              .filter(
                  file -> root.relativize(file).toString().matches("[\\w-]+/src/main/.*\\.java"))
              .sorted()
              .toList();
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null);
    JavacTask task =
        (JavacTask)
            compiler.getTask(
                null,
                manager,
                null,
                List.of("-proc:none"),
                null,
                manager.getJavaFileObjectsFromPaths(files));
    positions = Trees.instance(task).getSourcePositions();
    for (CompilationUnitTree tree : task.parse()) {
      Path file = Path.of(tree.getSourceFile().toUri());
      sources.add(
          new Source(file, String.valueOf(tree.getPackageName()), Files.readString(file), tree));
    }
  }

  private void lines(Source source) {
    List<String> lines = source.text().lines().toList();
    add("files", 1);
    add("lines", lines.size());
    add("files.over450lines", lines.size() >= 450 ? 1 : 0);
    add("comments.behind", lines.stream().filter(BEHIND.asPredicate()).count());
    add("comments.theSame", lines.stream().filter(THE_SAME.asPredicate()).count());
  }

  private void unitTests(Path root) throws IOException {
    try (Stream<Path> found = Files.walk(root.resolve("cn-server/src/test"))) {
      long lines = 0;
      for (Path file :
          found.filter(one -> one.toString().matches(".*(Test|Sim)\\.java")).toList()) {
        lines += Files.readString(file).lines().count();
      }
      long main =
          sources.stream()
              .filter(source -> source.file().toString().contains("/cn-server/"))
              .mapToLong(source -> source.text().lines().count())
              .sum();
      put("cnServer.unitTestLinesPer100", lines * 100 / main);
    }
  }

  /** How many packages are part of a cycle of imports. */
  private long inCycles(Set<String> packages) {
    Map<String, Set<String>> uses = new HashMap<>();
    for (Source source : sources) {
      for (ImportTree imported : source.tree().getImports()) {
        String name = imported.getQualifiedIdentifier().toString();
        while (name.contains(".") && !packages.contains(name)) {
          name = name.substring(0, name.lastIndexOf('.'));
        }
        String simple = imported.getQualifiedIdentifier().toString().replace(name + ".", "");
        String type = simple.contains(".") ? simple.substring(0, simple.indexOf('.')) : simple;
        Matcher used =
            Pattern.compile(
                    "(?m)^(?!import |\\s*(?:\\*|//|/\\*)).*\\b" + Pattern.quote(type) + "\\b")
                .matcher(source.text());
        if (packages.contains(name) && !name.equals(source.packageName()) && used.find()) {
          uses.computeIfAbsent(source.packageName(), any -> new HashSet<>()).add(name);
        }
      }
    }
    return packages.stream().filter(one -> reaches(uses, one, one)).count();
  }

  private static boolean reaches(Map<String, Set<String>> uses, String from, String to) {
    Set<String> seen = new HashSet<>();
    Deque<String> next = new ArrayDeque<>(uses.getOrDefault(from, Set.of()));
    while (!next.isEmpty()) {
      String one = next.pop();
      if (one.equals(to)) {
        return true;
      }
      if (seen.add(one)) {
        next.addAll(uses.getOrDefault(one, Set.of()));
      }
    }
    return false;
  }

  /** Counts in one file. */
  private final class Counter extends TreeScanner<Void, Void> {
    private final Source source;

    Counter(Source source) {
      this.source = source;
    }

    @Override
    public Void visitClass(ClassTree type, Void none) {
      List<VariableTree> fields =
          type.getMembers().stream()
              .filter(VariableTree.class::isInstance)
              .map(VariableTree.class::cast)
              .filter(field -> !field.getModifiers().getFlags().contains(Modifier.STATIC))
              .toList();
      boolean record = type.getKind() == Tree.Kind.RECORD;
      if (record) {
        add("records", 1);
        add("records.over12components", fields.size() > 12 ? 1 : 0);
      }
      long booleans =
          fields.stream()
              .filter(field -> String.valueOf(field.getType()).equals("boolean"))
              .count();
      add("classes.ofFourBooleansOrMore", !record && booleans >= 4 ? 1 : 0);
      if (type.getSimpleName().contentEquals("Session")
          && source.packageName().equals("io.alrai.cn.session")) {
        put("session.fields", fields.size());
      }
      List<MethodTree> methods =
          type.getMembers().stream()
              .filter(MethodTree.class::isInstance)
              .map(MethodTree.class::cast)
              .filter(method -> method.getReturnType() != null)
              .toList();
      boolean bag =
          type.getKind() == Tree.Kind.CLASS
              && fields.isEmpty()
              && !methods.isEmpty()
              && methods.stream()
                  .allMatch(method -> method.getModifiers().getFlags().contains(Modifier.STATIC))
              && type.getExtendsClause() == null
              && type.getImplementsClause().isEmpty();
      add("classes.ofStaticMethodsOnly", bag ? 1 : 0);
      return super.visitClass(type, none);
    }

    @Override
    public Void visitMethod(MethodTree method, Void none) {
      if (method.getBody() != null) {
        LineMap lines = source.tree().getLineMap();
        long first =
            lines.getLineNumber(positions.getStartPosition(source.tree(), method.getBody()));
        long last = lines.getLineNumber(positions.getEndPosition(source.tree(), method.getBody()));
        add("methods", 1);
        add("methods.over50lines", last - first >= 50 ? 1 : 0);
      }
      return super.visitMethod(method, none);
    }

    @Override
    public Void visitMethodInvocation(MethodInvocationTree call, Void none) {
      add(
          "clock.nanoTimeCalls",
          call.getMethodSelect().toString().equals("System.nanoTime") ? 1 : 0);
      return super.visitMethodInvocation(call, none);
    }
  }
}
