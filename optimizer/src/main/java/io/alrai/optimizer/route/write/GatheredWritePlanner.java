package io.alrai.optimizer.route.write;

import io.alrai.common.error.AlraiException;
import io.alrai.executor.fragment.GatherPlan;
import io.alrai.executor.fragment.Plan;
import io.alrai.executor.fragment.Plan.KeyedTarget;
import io.alrai.executor.fragment.Plan.KeyedWrite;
import io.alrai.executor.fragment.Refusal;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.executor.fragment.Targets;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.sql.CopiedColumn;
import io.alrai.optimizer.api.sql.SqlBuilder;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.bind.Analysis;
import io.alrai.optimizer.bind.Relation;
import io.alrai.optimizer.route.AssignedValues;
import io.alrai.optimizer.route.Placements;
import io.alrai.optimizer.route.Planning;
import io.alrai.optimizer.route.ReadTables;
import io.alrai.optimizer.route.Refusals;
import io.alrai.optimizer.route.gather.GatherPlanner;
import io.alrai.optimizer.shardsql.TextEdits;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Query;
import io.alrai.optimizer.syntax.Statement;
import io.alrai.optimizer.syntax.TableRef;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A write that no place can do alone. A gathered SELECT chooses the rows of all targets, and where
 * other tables or subqueries give the new values these too; then each place writes its own by their
 * keys.
 */
final class GatheredWritePlanner {
  private static final Pattern IGNORING_DELETE =
      Pattern.compile(
          "\\bDELETE\\s+(?:LOW_PRIORITY\\s+|QUICK\\s+)*IGNORE\\b", Pattern.CASE_INSENSITIVE);
  private static final int UPDATED_BY_TWO_NAMES = 1706;
  private static final Pattern IGNORING_UPDATE =
      Pattern.compile("\\bIGNORE\\s*$", Pattern.CASE_INSENSITIVE);

  private final Planning planning;
  private final Analysis analysis;
  private final List<WriteTarget> targets;

  /** Temporary ones without a key, whose rows only a statement of their place finds. */
  private final List<WriteTarget> unkeyed;

  private final List<TableRef> from;
  private final Statement.Tail tail;
  private final Placements placements;

  GatheredWritePlanner(
      Planning planning,
      Analysis analysis,
      List<WriteTarget> targets,
      List<TableRef> from,
      Statement.Tail tail) {
    this.planning = planning;
    this.analysis = analysis;
    this.targets = targets.stream().filter(target -> !isUnkeyed(target)).toList();
    this.unkeyed = targets.stream().filter(GatheredWritePlanner::isUnkeyed).toList();
    this.from = from;
    this.tail = tail;
    this.placements = new Placements(planning.catalog());
  }

  private static boolean isUnkeyed(WriteTarget target) {
    Table table = target.base().table();
    return table.temporary() && table.primaryKey().isEmpty();
  }

  /**
   * Whether this is such a write: its targets have keys by which rows are found again. Where all
   * are temporary, their place can run the statement itself.
   */
  boolean isOne() {
    return targets.stream().noneMatch(target -> target.base().table().primaryKey().isEmpty())
        && !targets.stream().allMatch(target -> target.base().table().temporary());
  }

  /** Whether an UPDATE says IGNORE. */
  static boolean ignores(Planning planning, List<TableRef> tables) {
    String before = planning.text().text().substring(0, tables.getFirst().span().start());
    return IGNORING_UPDATE.matcher(before).find();
  }

  private boolean isUpdate() {
    return planning.tree() instanceof Statement.Update;
  }

  private boolean ignores() {
    return isUpdate()
        ? ignores(planning, from)
        : IGNORING_DELETE.matcher(planning.text().text()).find();
  }

  private Optional<Query.With> with() {
    return switch (planning.tree()) {
      case Statement.Update update -> update.with();
      case Statement.Delete delete -> delete.with();
      case Statement.Select _, Statement.InsertQuery _, Statement.InsertValues _ ->
          Optional.empty();
    };
  }

  /** Whether the statement reads more than its target and what stands in subqueries. */
  private boolean joins() {
    return with().isPresent() || from.size() > 1 || !(from.getFirst() instanceof TableRef.Named);
  }

  /** Whether the SELECT gives an UPDATE's values; else places find them where the rows are. */
  private boolean valued() {
    return targets.stream()
        .anyMatch(target -> target.values().filter(given -> valued(target, given)).isPresent());
  }

  private boolean valued(WriteTarget target, AssignedValues given) {
    boolean everywhere = Placements.isBroadcast(target.base().table());
    return joins()
        || given.areGathered(planning.interpreted())
        || (everywhere && Refusals.isUnrepeatable(analysis))
        || (target.moves() && given.areForeseen());
  }

  /**
   * The keyed write.
   *
   * @param shardEdits those of the shard's text
   * @param atOwnPlaces whether it goes to the places of its tables, not to those of the statement
   * @param refusal why no mysqld runs all of it
   * @throws AlraiException 1093 where a subquery reads a target, 1235 where values build on each
   *     other
   */
  KeyedWrite plan(TextEdits shardEdits, boolean atOwnPlaces, Refusal refusal) {
    targets.forEach(target -> refuseRead(target.base()));
    unkeyed.forEach(target -> refuseRead(target.base()));
    refuseTwoKeys();
    boolean valued = valued();
    boolean foreseen =
        !valued || targets.stream().allMatch(target -> target.values().orElseThrow().areForeseen());
    boolean rehearsed = valued && (!foreseen || readEachOther()) && canBeRehearsed();
    if (!foreseen && !rehearsed) {
      throw Planning.unsupported(
          "a write over several shards whose values build on one another, with a change of the"
              + " primary key, LIMIT, temporary tables or functions over tables; assign them in"
              + " two statements");
    }
    return new KeyedWrite(
        rehearsed ? rehearsed() : gathered(valued),
        targets.stream().map(target -> keyed(target, shardEdits, valued, atOwnPlaces)).toList(),
        ignores(),
        refusal);
  }

  /** Whether the order counts in which MySQL comes to the tables. */
  private boolean readEachOther() {
    for (WriteTarget target : targets) {
      for (WriteTarget other : targets) {
        if (target != other && target.values().orElseThrow().read(other.values().orElseThrow())) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether rows of the copies are found again after the statement, and are all that it reads. */
  private boolean canBeRehearsed() {
    return targets.stream().noneMatch(GatheredWritePlanner::changesKey)
        && tail.limit().isEmpty()
        && planning.interpreted().isEmpty()
        && analysis.tables().stream().noneMatch(base -> base.table().temporary());
  }

  private Plan.KeySource.Gathered gathered(boolean valued) {
    Set<String> columns = new LinkedHashSet<>();
    for (WriteTarget target : targets) {
      columns.addAll(Placements.keyColumns(target.base().table()));
      columns.addAll(target.base().table().primaryKey());
    }
    List<SqlTemplate> texts = new ArrayList<>();
    GatherPlan rows =
        new GatherPlanner(planning, analysis)
            .planRows(
                written(),
                columns,
                edits -> {
                  texts.add(unkeyed.isEmpty() ? edits.of(wholeText()) : ofUnkeyed(edits));
                  return select(valued, edits);
                });
    Optional<SqlTemplate> text = Optional.of(texts.getFirst());
    if (!unkeyed.isEmpty()) {
      return new Plan.KeySource.Gathered(rows, Optional.empty(), text);
    }
    boolean runsOverCopies = !rows.ofSession() && rows.functions().isEmpty();
    return new Plan.KeySource.Gathered(
        rows, runsOverCopies ? text : Optional.empty(), Optional.empty());
  }

  /** The part of the statement that writes tables without a key. */
  private SqlTemplate ofUnkeyed(TextEdits edits) {
    SqlBuilder sql = new SqlBuilder();
    with().ifPresent(with -> sql.template(edits.of(with.span())).text(" "));
    SqlTemplate tables = edits.of(from.getFirst().span().to(from.getLast().span()));
    sql.text(isUpdate() ? "UPDATE " : "DELETE ").text(ignores() ? "IGNORE " : "");
    if (isUpdate()) {
      sql.template(tables);
    }
    String separator = isUpdate() ? " SET " : "";
    for (WriteTarget target : unkeyed) {
      if (isUpdate()) {
        sql.text(separator).template(target.values().orElseThrow().text(edits));
      } else {
        sql.text(separator + visibleName(target.base()));
      }
      separator = ", ";
    }
    if (!isUpdate()) {
      sql.text(" FROM ").template(tables);
    }
    tail.where().ifPresent(where -> sql.text(" WHERE ").template(edits.of(where.span())));
    return sql.build();
  }

  private static String visibleName(Relation.Base base) {
    String name = Identifier.quote(base.visibleName());
    return base.reference().alias().isPresent()
        ? name
        : Identifier.quote(base.table().schema()) + "." + name;
  }

  private Span wholeText() {
    return new Span(0, planning.text().text().length());
  }

  private Set<Table> written() {
    return targets.stream()
        .map(target -> target.base().table())
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** The copies of targets have all columns: constraints may be over any. */
  private Plan.KeySource.Rehearsed rehearsed() {
    Set<String> columns = new LinkedHashSet<>();
    for (Table table : written()) {
      table.columns().forEach(column -> columns.add(column.name()));
    }
    List<SqlTemplate> texts = new ArrayList<>();
    GatherPlan rows =
        new GatherPlanner(planning, analysis)
            .planRehearsal(
                written(),
                columns,
                edits -> {
                  texts.add(edits.of(wholeText()));
                  targets.forEach(target -> texts.add(values(target, edits)));
                  return select(false, edits);
                });
    return new Plan.KeySource.Rehearsed(rows, texts.getFirst(), texts.subList(1, texts.size()));
  }

  private static SqlTemplate values(WriteTarget target, TextEdits edits) {
    Table table = target.base().table();
    List<String> columns = new ArrayList<>();
    Placements.keyColumns(table).forEach(column -> columns.add(Identifier.quote(column)));
    table.primaryKey().forEach(column -> columns.add(Identifier.quote(column)));
    for (String column : target.values().orElseThrow().columns()) {
      columns.add(CopiedColumn.ofMoment(table, column).text());
    }
    return new SqlBuilder()
        .text("SELECT " + String.join(", ", columns) + " FROM ")
        .template(edits.of(target.base().reference().span()))
        .build();
  }

  private KeyedTarget keyed(
      WriteTarget target, TextEdits shardEdits, boolean valued, boolean atOwnPlaces) {
    Table table = target.base().table();
    Targets home = KeyedTarget.OF_STATEMENT;
    if (Placements.isBroadcast(table)) {
      home = new Targets.EveryDn(placements.catalog().broadcastSchema(table));
    } else if (atOwnPlaces) {
      home = new Targets.All(placements.places(table));
    }
    return new KeyedTarget(
        table.schema(),
        table.name(),
        Placements.function(table),
        table.primaryKey(),
        valued ? target.values().orElseThrow().columns() : List.of(),
        valued ? target.values().orElseThrow().texts() : Set.of(),
        head(target, shardEdits, valued),
        home,
        target.moves()
            ? Optional.of(KeyUpdatePlanner.movedRows(planning.catalog(), table))
            : Optional.empty());
  }

  private SqlTemplate head(WriteTarget target, TextEdits shardEdits, boolean valued) {
    Relation.Base base = target.base();
    SqlTemplate named = shardEdits.of(base.reference().span());
    if (valued) {
      String verb = ignores() ? "UPDATE IGNORE " : "UPDATE ";
      return new SqlBuilder().text(verb).template(named).text(" SET ").build();
    }
    if (joins()) {
      String alias = Identifier.quote(target.name());
      boolean given = base.reference().alias().isPresent() || target.forcedAlias().isPresent();
      String verb = ignores() ? "DELETE IGNORE " : "DELETE ";
      return new SqlBuilder()
          .text(verb + alias + " FROM ")
          .template(named)
          .text(given ? " WHERE " : " AS " + alias + " WHERE ")
          .build();
    }
    return KeyedWritePlanner.head(planning, shardEdits, tail);
  }

  private SqlTemplate select(boolean valued, TextEdits edits) {
    SqlBuilder sql = new SqlBuilder();
    with().ifPresent(with -> sql.template(edits.of(with.span())).text(" "));
    String separator = joins() && !valued && targets.size() == 1 ? "SELECT DISTINCT " : "SELECT ";
    for (WriteTarget target : targets) {
      Table table = target.base().table();
      List<String> columns = new ArrayList<>(Placements.keyColumns(table));
      columns.addAll(table.primaryKey());
      for (String column : columns) {
        sql.text(separator).text(target.qualified(column));
        separator = ", ";
      }
      if (valued) {
        AssignedValues assigned = target.values().orElseThrow();
        for (String column : assigned.columns()) {
          sql.text(separator).template(assigned.of(column, target.qualified(column), edits));
        }
      }
    }
    sql.text(" FROM ").template(edits.of(from.getFirst().span().to(from.getLast().span())));
    tail.where().ifPresent(where -> sql.text(" WHERE ").template(edits.of(where.span())));
    for (int i = 0; i < tail.orderBy().size(); i++) {
      Expr.OrderItem item = tail.orderBy().get(i);
      sql.text(i == 0 ? " ORDER BY " : ", ").template(edits.of(item.span()));
    }
    tail.limit().ifPresent(limit -> sql.text(" ").template(edits.of(limit.span())));
    return sql.build();
  }

  /** A row that is found by two names must keep the key that it is found by. */
  private void refuseTwoKeys() {
    for (int i = 0; i < targets.size(); i++) {
      for (WriteTarget other : targets.subList(i + 1, targets.size())) {
        WriteTarget target = targets.get(i);
        boolean twice = target.base().table().equals(other.base().table());
        if (twice && (changesKey(target) || changesKey(other))) {
          throw AlraiException.fromServer(
              UPDATED_BY_TWO_NAMES,
              "HY000",
              "Primary key/partition key update is not allowed since the table is updated both as '"
                  + target.base().visibleName()
                  + "' and '"
                  + other.base().visibleName()
                  + "'.");
        }
      }
    }
  }

  private static boolean changesKey(WriteTarget target) {
    List<String> key = target.base().table().primaryKey();
    return target.values().stream()
        .flatMap(values -> values.columns().stream())
        .anyMatch(column -> key.stream().anyMatch(column::equalsIgnoreCase));
  }

  private void refuseRead(Relation.Base target) {
    List<Query> queries = new ArrayList<>();
    tail.where().ifPresent(where -> queries.addAll(where.allQueries()));
    if (planning.tree() instanceof Statement.Update update) {
      update.assignments().forEach(one -> queries.addAll(one.value().allQueries()));
    }
    Set<Span> read = new LinkedHashSet<>();
    queries.forEach(query -> ReadTables.add(query.body(), read));
    boolean reads =
        analysis.tables().stream()
            .anyMatch(base ->
                base.table().equals(target.table()) && read.contains(base.reference().span()));
    if (reads) {
      throw ReadTables.usedTarget((isUpdate() ? targets.getFirst().base() : target).visibleName());
    }
  }
}
