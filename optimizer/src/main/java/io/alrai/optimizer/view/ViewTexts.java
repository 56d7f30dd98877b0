package io.alrai.optimizer.view;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.sql.Sql;
import io.alrai.executor.fragment.CheckView;
import io.alrai.gms.api.Access;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.RoutineKind;
import io.alrai.gms.api.StoredFunction;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.View;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.api.text.SyntaxException;
import io.alrai.optimizer.api.token.FunctionCalls;
import io.alrai.optimizer.bind.ColumnUses;
import io.alrai.optimizer.bind.TableUses;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Mention;
import io.alrai.optimizer.syntax.RowLock;
import io.alrai.optimizer.syntax.SourceText;
import io.alrai.optimizer.syntax.Statement;
import io.alrai.optimizer.syntax.StatementParser;
import io.alrai.optimizer.syntax.TableRef;
import io.alrai.optimizer.view.ReshapedStatement.CheckedTarget;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Puts the queries of views where their names stand: {@code FROM v AS x} becomes {@code FROM
 * (SELECT ..) AS `x`}, views within views alike. Whoever plans the statement afterwards sees
 * derived tables only. One thread.
 */
public final class ViewTexts {
  private final Catalog catalog;
  private final List<View> path = new ArrayList<>();

  /** In whose name what is at hand is read; empty for the account that sends the statement. */
  private Optional<Access> reader = Optional.empty();

  /** What a definer must have on what the view reads. */
  private long wanted = Privilege.SELECT.bit();

  private ViewTexts(Catalog catalog) {
    this.catalog = catalog;
  }

  /**
   * A piece of a text, and what comes in its place.
   *
   * @param check where it names a table whose rows are checked
   */
  record Edit(Span span, String text, boolean ofView, Optional<CheckView> check) {
    /** One that names no such table. */
    Edit(Span span, String text, boolean ofView) {
      this(span, text, ofView, Optional.empty());
    }
  }

  /** A text with the places of views' queries, and of tables that are checked, in it. */
  private record Expanded(String text, List<Span> inserted, List<CheckedTarget> checked) {}

  /** A schema's table or view. */
  private record FullName(String schema, String name) {}

  /**
   * The statement with queries instead of views; itself when it reads none.
   *
   * @param tree what its shape was parsed to
   * @throws AlraiException 1356 for a view whose tables or columns are gone, 1449 for one whose
   *     definer is, 1462 for one that reads itself, 1288, 1471 and 1235 for writes
   */
  public static ShapedStatement expanded(
      ShapedStatement statement, Statement tree, Planner.Context context) {
    if (!context.catalog().hasViews()) {
      return statement;
    }
    ViewTexts views = new ViewTexts(context.catalog());
    ViewWrites writes = new ViewWrites(context);
    List<Edit> edits = new ArrayList<>(writes.edits(tree));
    Optional<Expanded> expanded =
        views.expand(
            statement.shape(),
            TableUses.of(tree),
            context.currentSchema(),
            context.noBackslashEscapes(),
            writes.targets(),
            "",
            edits);
    if (expanded.isEmpty()) {
      return statement;
    }
    // the target of an INSERT stands before all that is replaced
    List<CheckedTarget> checked = new ArrayList<>(ReshapedStatement.checkedIn(statement));
    checked.addAll(expanded.get().checked());
    return new ReshapedStatement(
        statement, expanded.get().text(), expanded.get().inserted(), checked);
  }

  private Optional<View> view(TableRef.Named table, String currentSchema) {
    return view(table.schema(), table.name(), currentSchema);
  }

  private Optional<View> view(Optional<Identifier> schema, Identifier name, String currentSchema) {
    return catalog.view(schema.map(Identifier::name).orElse(currentSchema), name.name());
  }

  /**
   * Refuses a view whose tables or columns are gone, or through which its definer may not write.
   *
   * @param privileges what is done besides reading
   */
  static void requireWritable(Catalog catalog, View view, long privileges) {
    ViewTexts texts = new ViewTexts(catalog);
    texts.wanted |= privileges;
    texts.query(view, "");
  }

  /**
   * The text with queries instead of views.
   *
   * @param inherited locking clauses for what the statement itself reads
   * @param written uses of views that {@code edits} deal with
   * @param edits others that are made in the text
   */
  private Optional<Expanded> expand(
      String source,
      TableUses uses,
      String currentSchema,
      boolean noBackslashEscapes,
      Set<TableRef.Named> written,
      String inherited,
      List<Edit> edits) {
    Set<FullName> byName = new HashSet<>();
    for (TableUses.Use use : uses.tables()) {
      TableRef.Named table = use.table();
      Optional<View> view = view(table, currentSchema);
      if (view.isPresent()) {
        if (table.alias().isEmpty()) {
          byName.add(new FullName(view.get().schema(), view.get().name()));
        }
        if (written.contains(table)) {
          continue;
        }
        String lock = use.locking().isEmpty() && use.main() ? inherited : locking(use);
        String read = derived(view.get(), table.visibleName(), lock, noBackslashEscapes);
        edits.add(
            use.whole()
                .map(whole -> new Edit(whole.span(), "SELECT * FROM " + read, true))
                .orElseGet(() -> new Edit(place(table), read, true)));
      }
    }
    if (edits.isEmpty()) {
      return Optional.empty();
    }
    uses.expressions().forEach(expression -> expression.walk(inner -> strip(inner, byName, edits)));
    return Optional.of(apply(source, edits));
  }

  /** What locks the rows of a view's tables: MySQL locks none within a derived table by itself. */
  private static String locking(TableUses.Use use) {
    return use.locks().stream().map(RowLock::ofOneTable).collect(Collectors.joining()).strip();
  }

  /** Name and alias. */
  static Span place(TableRef.Named table) {
    if (table.partitionSelection()) {
      throw AlraiException.unsupported(
          "PARTITION (...) in FROM; use a condition on" + " the partition key");
    }
    return table.alias().map(alias -> table.nameSpan().to(alias.span())).orElse(table.nameSpan());
  }

  /** A derived table has no schema that its columns could be qualified with. */
  private static void strip(Expr expression, Set<FullName> views, List<Edit> edits) {
    List<Identifier> qualifier =
        switch (expression) {
          case Expr.Name name -> name.parts().subList(0, name.parts().size() - 1);
          case Expr.Star star -> star.qualifier();
          case Expr.Slot _,
              Expr.Literal _,
              Expr.Variable _,
              Expr.Parenthesised _,
              Expr.Row _,
              Expr.Operation _,
              Expr.Case _,
              Expr.InList _,
              Expr.OverQuery _,
              Expr.Call _ ->
              List.of();
        };
    if (qualifier.size() == 2
        && views.contains(new FullName(qualifier.get(0).name(), qualifier.get(1).name()))) {
      int start = qualifier.get(0).span().start();
      edits.add(new Edit(new Span(start, qualifier.get(1).span().start()), "", false));
    }
  }

  private static Expanded apply(String source, List<Edit> edits) {
    edits.sort(Comparator.comparingInt(edit -> edit.span().start()));
    StringBuilder text = new StringBuilder();
    List<Span> inserted = new ArrayList<>();
    List<CheckedTarget> checked = new ArrayList<>();
    int position = 0;
    for (Edit edit : edits) {
      text.append(source, position, edit.span().start());
      int start = text.length();
      text.append(edit.text());
      Span span = new Span(start, text.length());
      if (edit.ofView()) {
        inserted.add(span);
      }
      edit.check().ifPresent(view -> checked.add(new CheckedTarget(span, view)));
      position = edit.span().end();
    }
    text.append(source, position, source.length());
    return new Expanded(text.toString(), inserted, checked);
  }

  private String derived(View view, String alias, String locking, boolean noBackslashEscapes) {
    String query = query(view, locking);
    String columns =
        view.renamed()
            ? view.columns().stream()
                .map(Identifier::quote)
                .collect(Collectors.joining(",", " (", ")"))
            : "";
    return "("
        + (noBackslashEscapes ? withoutEscapes(query) : query)
        + (locking.isEmpty() ? "" : " " + locking)
        + ") AS "
        + Identifier.quote(alias)
        + columns;
  }

  /** A view's query, read with backslash escapes, with no views in it. */
  private String query(View view, String locking) {
    path.add(view);
    if (path.indexOf(view) < path.size() - 1) {
      throw new AlraiException(
          ErrorCode.ER_VIEW_RECURSIVE,
          Identifier.quote(view.schema())
              + "."
              + Identifier.quote(view.name())
              + " contains view recursion");
    }
    requireDefiner(view);
    Optional<Access> outer = reader;
    reader = definer(view).or(() -> outer);
    String source = ofDefiner(view);
    TableUses uses = uses(source);
    uses.tables().forEach(use -> require(use.table()));
    uses.tables().forEach(use -> requireReadable(use.table()));
    reader.ifPresent(account -> requireColumns(source, account));
    uses.expressions().forEach(expression -> expression.walk(inner -> require(inner, uses)));
    uses.expressions().forEach(expression -> expression.walk(this::requireFunction));
    String query =
        expand(source, uses, "", false, Set.of(), locking, new ArrayList<>())
            .map(Expanded::text)
            .orElse(source);
    path.removeLast();
    reader = outer;
    return query;
  }

  private Optional<Access> definer(View view) {
    return Optional.ofNullable(catalog.accounts().get(view.definer()))
        .map(account -> Access.ofLogin(account, catalog));
  }

  /** Whether a definer may still read what the view reads. Of the sender others find out. */
  private void requireReadable(TableRef.Named table) {
    String schema = table.schema().map(Identifier::name).orElse("");
    boolean readable =
        reader
            .map(account -> (wanted & ~had(account, schema, table.name().name())) == 0)
            .orElse(true);
    if (!readable) {
      throw invalid();
    }
  }

  private long had(Access account, String schema, String table) {
    return wanted == Privilege.SELECT.bit()
        ? account.onSome(schema, table)
        : account.on(schema, table);
  }

  /** A definer who has privileges for columns needs one for each that the view names. */
  private void requireColumns(String query, Access account) {
    if (!account.hasColumns() || !(tree(query) instanceof Statement.Select select)) {
      return;
    }
    ColumnUses columns = new ColumnUses(catalog, "");
    columns.query(select.query());
    for (ColumnUses.Use use : columns.found()) {
      for (String column : use.columns()) {
        if ((use.anyOf() & account.onColumn(use.schema(), use.table(), column)) == 0) {
          throw invalid();
        }
      }
    }
  }

  private static TableUses uses(String query) {
    return TableUses.of(tree(query));
  }

  private static Statement tree(String query) {
    try {
      return StatementParser.parse(query, false, false);
    } catch (SyntaxException e) {
      throw new AlraiException(
          ErrorCode.ALRAI_INTERNAL, "a view's query cannot be read: " + query, e);
    }
  }

  private void requireDefiner(View view) {
    if (!view.definer().isEmpty() && !catalog.accounts().containsKey(view.definer())) {
      throw new AlraiException(ErrorCode.ER_NO_SUCH_USER, Account.unknownDefiner(view.definer()));
    }
  }

  /** Whom a view is read for is its definer. */
  private static String ofDefiner(View view) {
    if (view.definer().isEmpty()) {
      return view.query();
    }
    List<Edit> edits = new ArrayList<>();
    String definer = Sql.EMPTY.literal(view.definer()).text();
    for (Mention mention : SourceText.of(view.query(), false, false).mentions()) {
      if (mention.what() == Mention.What.CALL && mention.text().equals("CURRENT_USER")) {
        edits.add(new Edit(mention.span(), definer, false));
      }
    }
    return apply(view.query(), edits).text();
  }

  private void require(TableRef.Named table) {
    String schema = table.schema().map(Identifier::name).orElse("");
    boolean there =
        catalog.table(schema, table.name().name()).isPresent()
            || catalog.view(schema, table.name().name()).isPresent();
    if (!there) {
      throw invalid();
    }
  }

  /** Columns are qualified with a table's name, or its alias, in all texts of views. */
  private void require(Expr expression, TableUses uses) {
    if (!(expression instanceof Expr.Name name) || name.table().isEmpty()) {
      return;
    }
    List<TableRef.Named> meant =
        uses.tables().stream()
            .map(TableUses.Use::table)
            .filter(table -> table.visibleName().equals(name.table().get()))
            .filter(table ->
                name.schema().isEmpty()
                    || name.schema().equals(table.schema().map(Identifier::name)))
            .toList();
    if (!meant.isEmpty() && meant.stream().noneMatch(table -> has(table, name.column()))) {
      throw invalid();
    }
  }

  /** A stored function has its schema's name in all texts of views. */
  private void requireFunction(Expr expression) {
    if (!(expression instanceof Expr.Call call)) {
      return;
    }
    Optional<String> schema = Expr.Call.schema(call.name());
    if (schema.flatMap(name -> FunctionCalls.schema(catalog, name)).isEmpty()) {
      return; // the mysqld's own
    }
    StoredFunction function =
        FunctionCalls.named(catalog, "", call.name()).orElseThrow(this::invalid);
    boolean callable =
        reader
            .map(account -> account.on(RoutineKind.FUNCTION, function.schema(), function.name()))
            .map(had -> (had & Privilege.EXECUTE.bit()) != 0)
            .orElse(true);
    if (!callable) {
      throw invalid();
    }
    FunctionDefiners.require(catalog, function);
  }

  private boolean has(TableRef.Named table, String column) {
    String schema = table.schema().map(Identifier::name).orElse("");
    Optional<Table> base = catalog.table(schema, table.name().name());
    return base.isPresent()
        ? base.get().column(column).isPresent()
        : catalog.view(schema, table.name().name()).stream()
            .flatMap(view -> view.columns().stream())
            .anyMatch(column::equalsIgnoreCase);
  }

  /** MySQL names the view that the client named. */
  private AlraiException invalid() {
    View view = path.getFirst();
    return new AlraiException(
        ErrorCode.ER_VIEW_INVALID,
        "View '"
            + view.schema()
            + "."
            + view.name()
            + "' references invalid table(s) or column(s) or function(s) or definer/invoker of view"
            + " lack rights to use them");
  }

  /** The text as it is read where a backslash is an ordinary character. */
  static String withoutEscapes(String query) {
    StringBuilder text = new StringBuilder();
    char quote = 0;
    for (int i = 0; i < query.length(); i++) {
      char c = query.charAt(i);
      if (quote == 0 && (c == '\'' || c == '`')) {
        quote = c;
      } else if (c == quote) {
        quote = 0;
      } else if (c == '\\' && quote == '\'') {
        i++;
        text.append(meant(query.charAt(i)));
        continue;
      }
      text.append(c);
    }
    return text.toString();
  }

  /** What a backslash and this character mean, as a string's content. */
  private static String meant(char escaped) {
    return switch (escaped) {
      case '0' -> "\0";
      case 'n' -> "\n";
      case 'r' -> "\r";
      case 't' -> "\t";
      case 'b' -> "\b";
      case 'Z' -> "\u001a";
      case '\'' -> "''";
      case '%', '_' -> "\\" + escaped;
      default -> String.valueOf(escaped);
    };
  }
}
