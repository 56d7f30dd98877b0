package io.alrai.optimizer.bind;

import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.syntax.Expr;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What the names of columns in a query may mean: the items of its FROM, then those around it. */
final class ColumnSources {
  private final Optional<ColumnSources> outer;
  private final List<Source> inOrder = new ArrayList<>();
  private final List<Source> byName = new ArrayList<>();

  /** An item of FROM. */
  interface Source {
    /** The name that columns are qualified with. */
    String name();

    /** Its schema, where columns may be qualified with that too. */
    Optional<String> schema();

    /** Names of its columns, as far as they are known. */
    List<String> columns();

    /** Whether these are all. */
    boolean known();

    /** Whether it is a table or view of the catalog. */
    boolean stored();

    /** Records that a column is used. */
    void use(String column, long anyOf);

    /** Records that {@code *} stands for these columns. */
    void star(List<String> meant, long anyOf);

    /** Notes what reading it at all uses. */
    void joined();

    /** Whether it has a column. */
    default boolean has(String column) {
      return columns().stream().anyMatch(column::equalsIgnoreCase);
    }
  }

  /** Around it, if there is anything. */
  ColumnSources(Optional<ColumnSources> outer) {
    this.outer = outer;
  }

  Optional<ColumnSources> outer() {
    return outer;
  }

  /** In the order of FROM. */
  List<Source> all() {
    return inOrder;
  }

  void add(Source source) {
    inOrder.add(source);
    byName.add(source);
  }

  /**
   * Names without a qualifier mean the later of these: the right side of a RIGHT JOIN gives the
   * values of the columns that it shares.
   *
   * @param middle where the right side begins
   */
  void preferFrom(int from, int middle) {
    List<Source> left = List.copyOf(byName.subList(from, middle));
    byName.subList(from, middle).clear();
    byName.addAll(left);
  }

  int size() {
    return inOrder.size();
  }

  /** Notes a use of what a name means; a name that nothing has is asked of the first table. */
  void use(Expr.Name name, long anyOf) {
    if (!find(name, anyOf)) {
      asked(name).ifPresent(source -> source.use(name.column(), anyOf));
    }
  }

  /** Whether something has such a column; then it is used. */
  boolean find(Expr.Name name, long anyOf) {
    for (Source source : byName) {
      boolean meant = qualifies(source, name) && source.has(name.column());
      if (meant) {
        source.use(name.column(), anyOf);
        return true;
      }
    }
    return outer.isPresent() && outer.get().find(name, anyOf);
  }

  private Optional<Source> asked(Expr.Name name) {
    boolean allKnown = byName.stream().allMatch(Source::known);
    return byName.stream()
        .filter(source -> source.stored() && qualifies(source, name))
        .filter(source -> name.table().isPresent() || allKnown)
        .findFirst();
  }

  private static boolean qualifies(Source source, Expr.Name name) {
    return name.table().map(source.name()::equals).orElse(true)
        && (name.schema().isEmpty() || name.schema().equals(source.schema()));
  }

  /** The sources that {@code *} or {@code t.*} stands for. */
  List<Source> meant(Expr.Star star) {
    List<Identifier> parts = star.qualifier();
    return inOrder.stream()
        .filter(source -> parts.isEmpty() || parts.getLast().name().equals(source.name()))
        .filter(source ->
            parts.size() < 2 || source.schema().equals(Optional.of(parts.getFirst().name())))
        .toList();
  }

  /** The columns that two sides of a natural join share. */
  Set<String> shared(int from, int middle) {
    Set<String> left = new HashSet<>();
    inOrder.subList(from, middle).forEach(source -> left.addAll(lower(source)));
    Set<String> right = new HashSet<>();
    inOrder.subList(middle, inOrder.size()).forEach(source -> right.addAll(lower(source)));
    left.retainAll(right);
    return left;
  }

  private static List<String> lower(Source source) {
    return source.columns().stream().map(Names::lower).toList();
  }
}
