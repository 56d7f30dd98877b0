package io.alrai.optimizer.route.gather;

import io.alrai.executor.fragment.GatherPlan;
import io.alrai.executor.fragment.GatherPlan.KeyLink;
import io.alrai.executor.fragment.GatherPlan.Source;
import io.alrai.executor.fragment.JoinPlan;
import io.alrai.executor.fragment.Plan;
import io.alrai.executor.fragment.Refusal.Way;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.executor.fragment.SqlTemplate.Piece;
import io.alrai.executor.fragment.Targets;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.sql.CopiedColumn;
import io.alrai.optimizer.api.sql.SqlBuilder;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.bind.Analysis;
import io.alrai.optimizer.bind.Relation;
import io.alrai.optimizer.bind.TableUses;
import io.alrai.optimizer.route.Alternative;
import io.alrai.optimizer.route.Alternatives;
import io.alrai.optimizer.route.LabelEdits;
import io.alrai.optimizer.route.Placements;
import io.alrai.optimizer.route.Planning;
import io.alrai.optimizer.route.SelectAssignments;
import io.alrai.optimizer.route.gather.JoinedTables.Joined;
import io.alrai.optimizer.shardsql.NameEdits;
import io.alrai.optimizer.shardsql.TableNaming;
import io.alrai.optimizer.shardsql.TextEdits;
import io.alrai.optimizer.syntax.Mention;
import io.alrai.optimizer.syntax.Query;
import io.alrai.optimizer.syntax.RowLock;
import io.alrai.optimizer.syntax.TableRef;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The last resort: copies of the rows that can matter, and the client's text over them. */
public final class GatherPlanner {
  private static final String FUNCTIONS = "stored functions that the CN runs";

  private final Planning planning;
  private final Analysis analysis;
  private final Placements placements;
  private final SourceFilters filters;
  private final UsedColumns usedColumns;
  private final SelectAssignments assignments;

  public GatherPlanner(Planning planning, Analysis analysis) {
    this(planning, analysis, new SelectAssignments(false, true));
  }

  /** For a SELECT with these. */
  public GatherPlanner(Planning planning, Analysis analysis, SelectAssignments assignments) {
    this.planning = planning;
    this.analysis = analysis;
    this.assignments = assignments;
    this.placements = new Placements(planning.catalog());
    this.filters = new SourceFilters(planning, analysis);
    this.usedColumns = new UsedColumns(analysis);
  }

  /** {@code whole} is the span of the statement or query that runs over the copies. */
  public GatherPlan plan(Query query, Span whole) {
    if (assignments.any()) {
      return copies(query, whole);
    }
    Alternatives<GatherPlan> ways = new Alternatives<>();
    if (GroupReader.isGrouped(query)) {
      ways.or(
          Way.GROUPS,
          () ->
              GroupReader.read(planning, analysis, query)
                  .then(groups -> planGroups(groups, whole)));
    }
    return ways.plan().orElseGet(() -> planRows(ways, query, whole)).instead(ways.refusals());
  }

  private Alternative<GatherPlan> planGroups(GatheredGroups groups, Span whole) {
    Map<TableRef.Named, String> names = scratchNames();
    TextEdits edits = named(new ScratchNaming(names));
    if (!planning.interpreted().edit(edits).isEmpty()) {
      return new Alternative.Refused<>(FUNCTIONS);
    }
    LabelEdits.ofInnerQueries(planning, edits);
    groups.edit(edits);
    Table table = groups.use().table();
    Source source =
        Source.of(
            table.schema(),
            table.name(),
            name(names, groups.use()),
            groups.columns(),
            targets(table, List.of(groups.use())),
            groups.groups());
    return new Alternative.Possible<>(
        new GatherPlan(List.of(source), List.of(), edits.of(whole), false));
  }

  /** Copies, and how the CN joins their rows where it can. */
  private GatherPlan planRows(Alternatives<GatherPlan> ways, Query query, Span whole) {
    GatherPlan copied = copies(query, whole);
    if (analysis.tables().size() > 1) {
      ways.or(
          Way.JOIN,
          () ->
              join(copied, query).then(join -> new Alternative.Possible<>(copied.withJoin(join))));
    }
    return ways.plan().orElse(copied);
  }

  private Alternative<JoinPlan> join(GatherPlan copied, Query query) {
    if (copied.ofSession()) {
      return new Alternative.Refused<>("temporary tables");
    }
    if (!copied.functions().isEmpty()) {
      return new Alternative.Refused<>(FUNCTIONS);
    }
    return JoinPlanner.plan(planning, analysis, query, filters, scratchNames(), this::joined);
  }

  private GatherPlan copies(Query query, Span whole) {
    Map<TableRef.Named, List<RowLock>> locks = new HashMap<>();
    if (!query.locking().isEmpty()) {
      TableUses.of(planning.tree()).tables().forEach(use -> locks.put(use.table(), use.locks()));
    }
    return plan(
        Copying.OF_USES,
        uses -> lockText(locks, uses),
        edits -> {
          query.locking().forEach(lock -> edits.remove(lock.span()));
          return edits.of(whole);
        });
  }

  private Source joined(Joined one, String name, JoinedColumns columns, List<KeyLink> links) {
    Relation.Base use = one.use();
    SqlBuilder sql = new SqlBuilder().text("SELECT ").text(names(columns.of(one)));
    columns.hidden(one).append(sql);
    from(use, sql);
    if (!one.conditions().isEmpty()) {
      sql.text(" WHERE ").template(SourceFilters.joined(one.conditions(), " AND "));
    }
    return new Source(
        use.table().schema(),
        use.table().name(),
        name,
        columns.of(one),
        targets(use.table(), List.of(use)),
        sql.build(),
        !one.conditions().isEmpty(),
        "",
        links);
  }

  private static String names(List<String> columns) {
    return columns.stream().map(Identifier::quote).collect(Collectors.joining(", "));
  }

  /** By the name that LOCK TABLES knows it by. */
  private void from(Relation.Base use, SqlBuilder sql) {
    sql.text(" FROM ");
    sql.piece(
        Placements.isBroadcast(use.table())
            ? TableNaming.broadcastSchema(placements.catalog(), use.table())
            : new Piece.PlaceSchema());
    sql.text("." + Identifier.quote(use.table().name()));
    use.reference().alias().ifPresent(alias -> sql.text(" AS " + Identifier.quote(alias.name())));
    use.reference()
        .indexHints()
        .ifPresent(hints -> sql.text(" " + hints.of(planning.text().text())));
  }

  /**
   * Rows of tables that a write chooses.
   *
   * @param columns of the targets that are needed
   * @param select the SELECT over the copies, from the edits that name them
   */
  public GatherPlan planRows(
      Set<Table> targets, Set<String> columns, Function<TextEdits, SqlTemplate> select) {
    return planRows(Copying.OF_TABLES, targets, columns, select);
  }

  /** Plans a gather for a write that runs over the copies first, in mysqld's order of joins. */
  public GatherPlan planRehearsal(
      Set<Table> targets, Set<String> columns, Function<TextEdits, SqlTemplate> select) {
    return planRows(Copying.AS_THEY_ARE, targets, columns, select);
  }

  private GatherPlan planRows(
      Copying copying,
      Set<Table> targets,
      Set<String> columns,
      Function<TextEdits, SqlTemplate> select) {
    columns.forEach(usedColumns::add);
    return plan(
        copying,
        uses -> targets.contains(uses.getFirst().table()) ? " FOR UPDATE" : " FOR SHARE",
        select);
  }

  /** A write of temporary tables. {@code statement} gives its text with tables named that way. */
  public Plan.Write write(
      Table target, Function<TableNaming, SqlTemplate> statement, String reason) {
    Map<TableRef.Named, String> names = sessionNames();
    SqlTemplate sql = statement.apply(new SessionNaming(names));
    GatherPlan gathered = new GatherPlan(sources(names, none -> "", true), List.of(), sql, true);
    return new Plan.Write(
        new Targets.One(placements.places(target).getFirst()),
        new Plan.StatementText.Rewritten(sql),
        sql,
        Optional.empty(),
        Optional.of(gathered),
        "over copies: " + reason);
  }

  private enum Copying {
    /** One copy for each reference to a table. */
    OF_USES,
    /** One for each table. */
    OF_TABLES,
    /**
     * Copies that are not confined by one another, because the number of rows decides how they are
     * joined.
     */
    AS_THEY_ARE
  }

  private GatherPlan plan(
      Copying copying,
      Function<List<Relation.Base>, String> locks,
      Function<TextEdits, SqlTemplate> statement) {
    boolean ofSession = ofSession();
    Map<TableRef.Named, String> names =
        ofSession ? sessionNames() : copying == Copying.OF_USES ? scratchNames() : tableNames();
    boolean confined = copying != Copying.AS_THEY_ARE && assignments.ofResultRows();
    List<Source> sources = sources(names, locks, confined);
    TextEdits edits = named(ofSession ? new SessionNaming(names) : new ScratchNaming(names));
    List<GatherPlan.Function> functions = planning.interpreted().edit(edits);
    if (ofSession && !functions.isEmpty()) {
      throw Planning.unsupported(
          "temporary tables in a statement that calls the stored function '"
              + functions.getFirst().name()
              + "', which reads or writes tables");
    }
    LabelEdits.ofInnerQueries(planning, edits);
    GatherPlan plan = new GatherPlan(sources, functions, statement.apply(edits), ofSession);
    return !ofSession && sleeps() ? plan.withTables() : plan;
  }

  /** Whether a second run, which tells of warnings that depend on statistics, would be noticed. */
  private boolean sleeps() {
    return planning.text().mentions().stream()
        .anyMatch(mention ->
            mention.what() == Mention.What.NAME && mention.text().equalsIgnoreCase("SLEEP"));
  }

  /** Whether the copies are on the session's own connection. */
  private boolean ofSession() {
    return analysis.tables().stream().anyMatch(base -> base.table().temporary());
  }

  private TextEdits named(TableNaming naming) {
    TextEdits edits = planning.edits().copy();
    NameEdits.apply(analysis, edits, naming);
    analysis.tables().stream()
        .filter(use -> !use.table().temporary())
        .flatMap(use -> use.reference().indexHints().stream())
        .distinct()
        .forEach(edits::remove); // copies have no indexes
    return edits;
  }

  /** One for each name of what is not the session's own. */
  private List<Source> sources(
      Map<TableRef.Named, String> names,
      Function<List<Relation.Base>, String> locks,
      boolean confined) {
    Map<String, List<Relation.Base>> uses = new LinkedHashMap<>();
    for (Relation.Base base : analysis.tables()) {
      if (!base.table().temporary()) {
        uses.computeIfAbsent(name(names, base), any -> new ArrayList<>()).add(base);
      }
    }
    Map<Relation.Base, String> alone = new LinkedHashMap<>();
    uses.forEach((name, bases) -> {
      if (confined && bases.size() == 1) {
        alone.put(bases.getFirst(), name);
      }
    });
    KeyLinks links = new KeyLinks(filters, alone);
    List<Source> sources = new ArrayList<>();
    uses.forEach((name, bases) -> sources.add(source(name, bases, locks.apply(bases), links)));
    return sources;
  }

  /** Temporary tables where they are, and copies of others beside them. */
  private record SessionNaming(Map<TableRef.Named, String> names) implements TableNaming {
    @Override
    public Optional<Piece> schema(Table table, boolean qualified) {
      return Optional.of(new Piece.Text(Identifier.quote(table.schema())));
    }

    @Override
    public String name(Relation.Base use) {
      return GatherPlanner.name(names, use);
    }
  }

  private static String name(Map<TableRef.Named, String> names, Relation.Base use) {
    return names.getOrDefault(use.reference(), use.table().name());
  }

  /**
   * A table's own name for its first reference, and others for further ones and for other tables of
   * that name. One of a CTE stands for all uses of the CTE.
   */
  private Map<TableRef.Named, String> scratchNames() {
    Map<TableRef.Named, String> names = new HashMap<>();
    Set<String> taken = new HashSet<>();
    for (Relation.Base use : analysis.tables()) {
      String own = use.table().name();
      boolean keeps = analysis.isWithoutAlias(use.reference());
      names.computeIfAbsent(use.reference(), any -> taken.add(own) || keeps ? own : copy(use));
    }
    return names;
  }

  /** Names of scratch tables, one for all references to a table. */
  private Map<TableRef.Named, String> tableNames() {
    Map<TableRef.Named, String> names = new HashMap<>();
    Map<Table, String> ofTables = new HashMap<>();
    Set<String> taken = new HashSet<>();
    for (Relation.Base use : analysis.tables()) {
      String own = use.table().name();
      String name = ofTables.computeIfAbsent(use.table(), any -> taken.add(own) ? own : copy(use));
      names.put(use.reference(), name);
    }
    return names;
  }

  /** Temporary tables keep their names; references to others have names that none has. */
  private Map<TableRef.Named, String> sessionNames() {
    Map<TableRef.Named, String> names = new HashMap<>();
    for (Relation.Base use : analysis.tables()) {
      String own = use.table().name();
      names.putIfAbsent(use.reference(), use.table().temporary() ? own : copy(use));
    }
    return names;
  }

  private static String copy(Relation.Base use) {
    return "__alrai_copy_" + use.id();
  }

  private record ScratchNaming(Map<TableRef.Named, String> names) implements TableNaming {
    @Override
    public Optional<Piece> schema(Table table, boolean qualified) {
      return Optional.of(new Piece.PlaceSchema());
    }

    @Override
    public String name(Relation.Base use) {
      return GatherPlanner.name(names, use);
    }
  }

  private Source source(String scratchName, List<Relation.Base> uses, String lock, KeyLinks links) {
    Table table = uses.getFirst().table();
    // beside temporary tables a copy with a hidden key has the columns as plain ones
    List<String> columns = usedColumns.of(table, !ofSession() || !usedColumns.hasHiddenKey(table));
    SqlBuilder sql = new SqlBuilder().text("SELECT ");
    for (int i = 0; i < columns.size(); i++) {
      sql.text(i == 0 ? "" : ", ").text(CopiedColumn.ofMoment(table, columns.get(i)).text());
    }
    from(uses.getFirst(), sql);
    Optional<SqlTemplate> filter = assignments.ofResultRows() ? filters.of(uses) : Optional.empty();
    filter.ifPresent(condition -> sql.text(" WHERE ").template(condition));
    return new Source(
        table.schema(),
        table.name(),
        scratchName,
        columns,
        targets(table, uses),
        sql.build(),
        filter.isPresent(),
        lock,
        uses.size() == 1 ? links.of(uses.getFirst()) : List.of());
  }

  /** As the strongest clause for one of the uses says. */
  private static String lockText(
      Map<TableRef.Named, List<RowLock>> locks, List<Relation.Base> uses) {
    return uses.stream()
        .flatMap(use -> locks.getOrDefault(use.reference(), List.of()).stream())
        .min(Comparator.comparing(RowLock::shared))
        .map(RowLock::ofOneTable)
        .orElse("");
  }

  private Targets targets(Table table, List<Relation.Base> uses) {
    if (Placements.isBroadcast(table)) {
      return new Targets.AnyDn(placements.catalog().broadcastSchema(table), true);
    }
    if (placements.atOnePlace(table)) {
      return new Targets.One(placements.places(table).getFirst());
    }
    Optional<List<List<Integer>>> tuples =
        assignments.ofResultRows() ? filters.tuples(uses) : Optional.empty();
    return tuples.isPresent()
        ? new Targets.Keys(Placements.function(table), placements.places(table), tuples.get())
        : new Targets.All(placements.places(table));
  }
}
