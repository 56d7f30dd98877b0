package io.alrai.optimizer.bind;

import io.alrai.gms.api.Column;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.syntax.TableRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Something in FROM that has columns; numbered over the whole statement. */
public sealed interface Relation {
  /** Its number. */
  int id();

  /** The name that columns are qualified with. */
  String visibleName();

  /** Its output columns in the order of {@code *}; empty when they are not known. */
  Optional<List<Output>> outputs();

  /** A column of that name, invisible ones too. */
  Optional<Output> output(String name);

  /** A table of the catalog. */
  record Base(int id, TableRef.Named reference, Table table) implements Relation {
    @Override
    public String visibleName() {
      return reference.visibleName();
    }

    @Override
    public Optional<List<Output>> outputs() {
      List<Output> outputs = new ArrayList<>();
      for (Column column : table.columns()) {
        if (!column.invisible()) {
          outputs.add(output(column));
        }
      }
      return Optional.of(outputs);
    }

    @Override
    public Optional<Output> output(String name) {
      return table.column(name).map(this::output);
    }

    private Output output(Column column) {
      return new Output(
          column.name(),
          Optional.of(ColumnRef.of(this, column.name())),
          Optional.of(column),
          () -> ValueKind.of(column));
    }
  }

  /**
   * A derived table or a use of a common table expression.
   *
   * @param columns what its query gives; empty when that is not known
   */
  record Derived(int id, String visibleName, Optional<List<Output>> columns) implements Relation {
    @Override
    public Optional<List<Output>> outputs() {
      return columns.map(list -> list.stream().map(output -> output.seenFrom(this)).toList());
    }

    @Override
    public Optional<Output> output(String name) {
      return columns.stream()
          .flatMap(List::stream)
          .filter(output -> output.name().equalsIgnoreCase(name))
          .findFirst()
          .map(output -> output.seenFrom(this));
    }
  }

  /**
   * An output column.
   *
   * @param reference what it is, when it is a plain column
   * @param column the catalog's column it comes from unchanged, if any
   * @param kinds gives {@link #kind} when it is asked for
   */
  record Output(
      String name,
      Optional<ColumnRef> reference,
      Optional<Column> column,
      Supplier<ValueKind> kinds) {
    /** How its values compare; may look at literals. */
    public ValueKind kind() {
      return kinds.get();
    }

    private Output seenFrom(Derived relation) {
      return new Output(name, Optional.of(ColumnRef.of(relation, name)), column, kinds);
    }
  }
}
