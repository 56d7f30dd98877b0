package io.alrai.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.attribute.SourceFileAttribute;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Switches over sealed types, as the compiler has left them: {@code typeSwitch} is given the type,
 * and where all its kinds have a case, what is left over throws a MatchException.
 */
final class SealedSwitches {
  private final Map<String, ClassModel> classes = new TreeMap<>();
  private final Set<String> sealed = new TreeSet<>();
  private final List<String> withRest = new ArrayList<>();
  private int count;

  /** In all classes of a package, from wherever the loader has them; tests' are left out. */
  static SealedSwitches of(String packageName) throws IOException {
    SealedSwitches switches = new SealedSwitches();
    String path = packageName.replace('.', '/');
    for (URI place :
        SealedSwitches.class
            .getClassLoader()
            .resources(path)
            .map(url -> URI.create("" + url))
            .toList()) {
      if (place.getScheme().equals("jar")) {
        try (FileSystem jar = FileSystems.newFileSystem(place, Map.of())) {
          switches.add(jar.getPath(path));
        }
      } else if (!place.getPath().contains("test-classes")) {
        switches.add(Path.of(place));
      }
    }
    switches.look();
    return switches;
  }

  /** In these classes. */
  static SealedSwitches of(Collection<Class<?>> some) throws IOException {
    SealedSwitches switches = new SealedSwitches();
    for (Class<?> type : some) {
      try (var in = type.getResourceAsStream("/" + type.getName().replace('.', '/') + ".class")) {
        switches.add(in.readAllBytes());
      }
    }
    switches.look();
    return switches;
  }

  /** How many there are. */
  int count() {
    return count;
  }

  /**
   * Those with a {@code default}, or with a case that takes whatever is left of a type: each as its
   * file, line and type.
   */
  List<String> withRest() {
    return withRest;
  }

  private void add(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      files.filter(file -> file.toString().endsWith(".class")).forEach(this::addFile);
    }
  }

  private void addFile(Path file) {
    try {
      add(Files.readAllBytes(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void add(byte[] bytes) {
    ClassModel type = ClassFile.of().parse(bytes);
    String name = type.thisClass().asInternalName();
    classes.put(name, type);
    if (type.findAttribute(Attributes.permittedSubclasses()).isPresent()) {
      sealed.add("L" + name + ";");
    }
  }

  private void look() {
    classes
        .values()
        .forEach(type ->
            type.methods().forEach(method -> method.code().ifPresent(code -> look(type, code))));
  }

  private void look(ClassModel type, CodeModel code) {
    List<CodeElement> elements = code.elementList();
    int line = 0;
    for (int at = 0; at < elements.size(); at++) {
      switch (elements.get(at)) {
        case LineNumber number -> line = number.line();
        case InvokeDynamicInstruction call when call.name().equalsString("typeSwitch") -> {
          String over = call.typeSymbol().parameterType(0).descriptorString();
          if (sealed.contains(over)) {
            count++;
            if (hasRest(elements, at)) {
              withRest.add(file(type) + ":" + line + " " + over.replaceAll(".*[/$]|;", ""));
            }
          }
        }
        default -> {}
      }
    }
  }

  private static String file(ClassModel type) {
    return type.findAttribute(Attributes.sourceFile())
        .map(SourceFileAttribute::sourceFile)
        .map(Object::toString)
        .orElse(type.thisClass().asInternalName());
  }

  private static boolean hasRest(List<CodeElement> elements, int typeSwitch) {
    Label rest =
        switch (instruction(elements, typeSwitch + 1)) {
          case LookupSwitchInstruction lookup -> lookup.defaultTarget();
          case TableSwitchInstruction table -> table.defaultTarget();
          case Instruction other -> throw new IllegalStateException("no switch: " + other);
        };
    for (int at = 0; at < elements.size(); at++) {
      if (elements.get(at) instanceof LabelTarget target && target.label().equals(rest)) {
        return !(instruction(elements, at) instanceof NewObjectInstruction thrown
            && thrown.className().asInternalName().equals("java/lang/MatchException"));
      }
    }
    throw new IllegalStateException("no label " + rest);
  }

  /** The first one from there on. */
  private static Instruction instruction(List<CodeElement> elements, int from) {
    return elements.stream()
        .skip(from)
        .filter(Instruction.class::isInstance)
        .map(Instruction.class::cast)
        .findFirst()
        .orElseThrow();
  }
}
