package io.alrai.optimizer.bind;

import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.View;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.bind.ColumnSources.Source;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Query;
import io.alrai.optimizer.syntax.Statement;
import io.alrai.optimizer.syntax.StatementParser;
import io.alrai.optimizer.syntax.TableRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The columns of tables and views that a statement uses, in MySQL's order of asking: of a query its
 * list, its joins, its conditions, then its subqueries. From names alone. One thread.
 */
public final class ColumnUses {
  static final long SELECT = Privilege.SELECT.bit();

  private final Catalog catalog;
  private final String currentSchema;
  private final List<Use> uses = new ArrayList<>();

  /**
   * One use.
   *
   * @param reference where the statement names the table
   * @param columns one; for {@code *} all that it stands for
   * @param star whether it is {@code *}
   * @param anyOf bits of privileges of which one is needed
   * @param view the view of the invoker's, named by the statement, within which it is used
   */
  public record Use(
      TableRef.Named reference,
      String schema,
      String table,
      List<String> columns,
      boolean star,
      long anyOf,
      Optional<View> view) {
    public Use {
      columns = List.copyOf(columns);
    }
  }

  /** The uses of a statement that is sent with this schema as the current one. */
  public ColumnUses(Catalog catalog, String currentSchema) {
    this.catalog = catalog;
    this.currentSchema = currentSchema;
  }

  /** What was found, in order. */
  public List<Use> found() {
    return uses;
  }

  /** Those of a query. */
  public void query(Query query) {
    definition(query, SELECT);
  }

  /**
   * Those of a query whose list needs something else.
   *
   * @param anyOf bits of privileges of which one is needed
   */
  public void definition(Query query, long anyOf) {
    new QueryColumns(this, Outside.NOTHING).query(query, anyOf);
  }

  /** Those of UPDATE: what is assigned, conditions of joins, WHERE, values, ORDER BY. */
  public void update(Statement.Update update) {
    BlockColumns block = block(Outside.NOTHING, update.with());
    block.from(update.tables());
    for (Statement.Assignment assignment : update.assignments()) {
      block.sources().use(assignment.column(), Privilege.UPDATE.bit());
    }
    update.tables().forEach(table -> joined(table, block.sources()));
    block.joins();
    update.tail().where().ifPresent(block::read);
    update.assignments().forEach(assignment -> block.read(assignment.value()));
    update.tail().orderBy().forEach(item -> block.read(item.expr()));
    block.subqueries();
  }

  /** UPDATE also asks for the columns of USING. */
  private static void joined(TableRef table, ColumnSources sources) {
    switch (table) {
      case TableRef.Join join -> {
        joined(join.left(), sources);
        joined(join.right(), sources);
        for (String column : join.using()) {
          sources.all().stream()
              .filter(source -> source.has(column))
              .forEach(source -> source.use(column, SELECT));
        }
      }
      case TableRef.Group group -> group.items().forEach(item -> joined(item, sources));
      case TableRef.Named _, TableRef.Derived _, TableRef.Function _ -> {}
    }
  }

  /** Those of DELETE. */
  public void delete(Statement.Delete delete) {
    BlockColumns block = block(Outside.NOTHING, delete.with());
    block.from(delete.from());
    block.joins();
    delete.tail().where().ifPresent(block::read);
    delete.tail().orderBy().forEach(item -> block.read(item.expr()));
    block.subqueries();
  }

  /**
   * The columns that INSERT and REPLACE fill.
   *
   * @param columns empty where no list is given
   */
  public void inserted(TableRef.Named target, List<String> columns) {
    Source table = stored(target, Outside.NOTHING);
    if (columns.isEmpty()) {
      table.star(table.columns(), Privilege.INSERT.bit());
    } else {
      columns.forEach(column -> table.use(column, Privilege.INSERT.bit()));
    }
  }

  /** The columns that ON DUPLICATE KEY UPDATE assigns. */
  public void assigned(TableRef.Named target, List<String> columns) {
    Source table = stored(target, Outside.NOTHING);
    columns.forEach(column -> table.use(column, Privilege.UPDATE.bit()));
  }

  /**
   * What values read that stand beside a table's own columns.
   *
   * @param targets the table, then perhaps the name of the new row
   * @param beside the query that gives the new rows, if one does
   */
  public void values(List<Expr> values, List<TableRef.Named> targets, Optional<Query> beside) {
    BlockColumns block = block(Outside.NOTHING, beside.flatMap(Query::with));
    block.from(List.copyOf(targets));
    if (beside.isPresent() && beside.get().body() instanceof Query.Block query) {
      block.from(query.from());
    }
    values.forEach(block::read);
    block.subqueries();
  }

  private BlockColumns block(Outside around, Optional<Query.With> with) {
    return new BlockColumns(this, new QueryColumns(this, around).with(with));
  }

  /**
   * What a part of a statement stands in.
   *
   * @param sources of the queries around it
   * @param common what the names of WITH give
   * @param path views of the invoker's from the one that the statement names inwards
   */
  record Outside(
      Optional<ColumnSources> sources, List<QueryColumns.Common> common, List<View> path) {
    static final Outside NOTHING = new Outside(Optional.empty(), List.of(), List.of());

    Outside in(Optional<ColumnSources> own) {
      return new Outside(own, common, path);
    }

    Outside with(List<QueryColumns.Common> names) {
      return new Outside(sources, names, path);
    }
  }

  /** A table or view by name. */
  Source stored(TableRef.Named table, Outside around) {
    String schema = table.schema().map(Identifier::name).orElse(currentSchema);
    Optional<View> view = catalog.view(schema, table.name().name());
    boolean deeper =
        view.isPresent() && view.get().definer().isEmpty() && !around.path().contains(view.get());
    Optional<QueryColumns.Derived> below =
        deeper ? Optional.of(below(view.get(), around)) : Optional.empty();
    return new Stored(this, table, schema, columns(schema, table, view), around, below);
  }

  private QueryColumns.Derived below(View view, Outside around) {
    List<View> path = new ArrayList<>(around.path());
    path.add(view);
    Outside inside = new Outside(Optional.empty(), List.of(), path);
    if (StatementParser.parse(view.query(), false, false) instanceof Statement.Select select) {
      return new QueryColumns(this, inside).derived(select.query(), view.name(), view.columns());
    }
    throw new IllegalStateException("no query: " + view.query());
  }

  private List<String> columns(String schema, TableRef.Named table, Optional<View> view) {
    return view.map(View::columns)
        .orElseGet(() ->
            catalog.table(schema, table.name().name()).stream()
                .flatMap(known -> known.columns().stream())
                .map(Column::name)
                .toList());
  }

  /** A table or view, and what a view of the invoker's reads. */
  private record Stored(
      ColumnUses all,
      TableRef.Named reference,
      String schemaName,
      List<String> columns,
      Outside around,
      Optional<QueryColumns.Derived> below)
      implements Source {
    @Override
    public String name() {
      return reference.visibleName();
    }

    @Override
    public Optional<String> schema() {
      return reference.alias().isPresent() ? Optional.empty() : Optional.of(schemaName);
    }

    @Override
    public boolean known() {
      return !columns.isEmpty();
    }

    @Override
    public boolean stored() {
      return !columns.isEmpty();
    }

    @Override
    public void use(String column, long anyOf) {
      note(List.of(column), false, anyOf);
      below(column, anyOf);
    }

    @Override
    public void star(List<String> meant, long anyOf) {
      note(meant, true, anyOf);
      meant.forEach(column -> below(column, anyOf));
    }

    private void note(List<String> used, boolean star, long anyOf) {
      if (!columns.isEmpty()) {
        all.uses.add(
            new Use(
                reference,
                schemaName,
                reference.name().name(),
                used,
                star,
                anyOf,
                around.path().stream().findFirst()));
      }
    }

    /** What is written through a view is asked of its table as a whole. */
    private void below(String column, long anyOf) {
      if ((anyOf & SELECT) != 0) {
        below.ifPresent(view -> view.use(column, SELECT));
      }
    }

    /** What reading a view at all uses. */
    @Override
    public void joined() {
      below.ifPresent(QueryColumns.Derived::joined);
    }
  }
}
