package io.alrai.optimizer.route.write;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.PhysicalSchema;
import io.alrai.executor.fragment.Plan;
import io.alrai.executor.fragment.Plan.KeyedWrite;
import io.alrai.executor.fragment.Refusal;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.executor.fragment.Targets;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.bind.Analysis;
import io.alrai.optimizer.bind.BlockFacts;
import io.alrai.optimizer.bind.ColumnRef;
import io.alrai.optimizer.bind.Relation;
import io.alrai.optimizer.bind.Scope;
import io.alrai.optimizer.route.AssignedValues;
import io.alrai.optimizer.route.FiredTriggers;
import io.alrai.optimizer.route.PlaceTexts;
import io.alrai.optimizer.route.Placements;
import io.alrai.optimizer.route.Planning;
import io.alrai.optimizer.route.Refusals;
import io.alrai.optimizer.route.TargetChoice;
import io.alrai.optimizer.route.gather.GatherPlanner;
import io.alrai.optimizer.shardsql.NameEdits;
import io.alrai.optimizer.shardsql.TableNaming;
import io.alrai.optimizer.shardsql.TextEdits;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Expr.OrderItem;
import io.alrai.optimizer.syntax.Query;
import io.alrai.optimizer.syntax.Statement;
import io.alrai.optimizer.syntax.TableRef;
import io.alrai.optimizer.view.ReshapedStatement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** UPDATE and DELETE: analysed as a query block that has their tables and conditions. */
public final class WritePlanner {
  /** The number of MySQL's error for a value of a generated column. */
  private static final int GENERATED = 3105;

  private final Planning planning;
  private final Analysis analysis;
  private final PlaceTexts texts;

  public WritePlanner(Planning planning) {
    this.planning = planning;
    this.analysis = planning.newAnalysis();
    this.texts = PlaceTexts.of(planning, analysis);
  }

  public Plan update(Statement.Update update) {
    refuseCut(update);
    List<Expr> expressions = new ArrayList<>();
    for (Statement.Assignment assignment : update.assignments()) {
      expressions.add(assignment.column());
      expressions.add(assignment.value());
    }
    BlockFacts facts = analyse(update.with(), update.tables(), expressions, update.tail());
    List<WriteTarget> targets = targets(update, facts);
    checkTriggers(targets, "UPDATE");
    return Plan.Raising.of(update(update, facts, targets), raised(targets));
  }

  /** The sequences of columns that get values. */
  private List<Plan.RaisedSequence> raised(List<WriteTarget> targets) {
    Placements placements = new Placements(planning.catalog());
    List<Plan.RaisedSequence> raised = new ArrayList<>();
    for (WriteTarget target : targets) {
      Table table = target.base().table();
      Placements.sequence(table)
          .filter(column -> target.values().filter(values -> values.change(column)).isPresent())
          .ifPresent(column -> raised.add(placements.raised(table, column)));
    }
    return raised;
  }

  private Plan update(Statement.Update update, BlockFacts facts, List<WriteTarget> targets) {
    Optional<WriteTarget> moving = targets.stream().filter(WriteTarget::moves).findFirst();
    boolean chosen = moving.isPresent() && areChosen(update);
    Plan.Write write = plan(targets, facts, update.tables(), update.tail(), chosen);
    boolean checked = !ReshapedStatement.checkedIn(planning.statement()).isEmpty();
    if (checked && moving.isPresent() && write.keyed().isPresent()) {
      throw unmovable(moving.get(), "through a view WITH CHECK OPTION, of chosen rows,");
    }
    if (write.keyed().isPresent()) {
      update.assignments().forEach(one -> requireTarget(one, facts));
      return write;
    }
    if (moving.isEmpty()) {
      return write;
    }
    if (write.shardSql().pieces().isEmpty()) {
      throw unmovable(moving.get(), "over other tables");
    }
    TextEdits edits = texts.edits(TableNaming.everywhere(planning.catalog()));
    return new KeyUpdatePlanner(planning, update, moving.get(), edits).plan(write);
  }

  /** A text by key has no other tables, so that it would not have such a mistake. */
  private void requireTarget(Statement.Assignment assignment, BlockFacts facts) {
    Expr.Name column = assignment.column();
    List<Relation> having =
        facts.scope().relations().stream()
            .filter(relation ->
                Scope.qualifies(relation, column) && relation.output(column.column()).isPresent())
            .toList();
    String written = column.parts().stream().map(Identifier::name).collect(Collectors.joining("."));
    if (having.isEmpty()) {
      throw new AlraiException(
          ErrorCode.ER_BAD_FIELD_ERROR, "Unknown column '" + written + "' in 'field list'");
    }
    if (having.size() > 1) {
      throw new AlraiException(
          ErrorCode.ER_NON_UNIQ_ERROR, "Column '" + written + "' in field list is ambiguous");
    }
    if (!(having.getFirst() instanceof Relation.Base base)) {
      throw new AlraiException(
          ErrorCode.ER_NON_UPDATABLE_TABLE,
          "The target table "
              + having.getFirst().visibleName()
              + " of the UPDATE is not updatable");
    }
    boolean generated = base.table().column(column.column()).filter(Column::generated).isPresent();
    String value = assignment.value().span().of(planning.text().text());
    if (generated && !value.equalsIgnoreCase("DEFAULT")) {
      throw AlraiException.fromServer(
          GENERATED,
          "HY000",
          "The value specified for generated column '"
              + column.column()
              + "' in table '"
              + base.table().name()
              + "' is not allowed.");
    }
  }

  /** In the order of FROM; without assignments where none of their columns is found. */
  private List<WriteTarget> targets(Statement.Update update, BlockFacts facts) {
    List<WriteTarget> targets = new ArrayList<>();
    for (Relation.Base base : bases(facts)) {
      List<Statement.Assignment> own =
          update.assignments().stream()
              .filter(one -> target(one.column(), facts).filter(base::equals).isPresent())
              .toList();
      Optional<String> key =
          own.stream()
              .map(one -> one.column().column())
              .filter(column -> isKey(base.table(), column))
              .findFirst();
      key.ifPresent(column -> FiredTriggers.refuseMove(base.table(), column));
      if (key.isPresent() && GatheredWritePlanner.ignores(planning, update.tables())) {
        throw unmovable(key.get(), "with IGNORE");
      }
      if (!own.isEmpty()) {
        AssignedValues values =
            new AssignedValues(own, planning.text().text(), facts.scope(), base);
        targets.add(
            new WriteTarget(
                base,
                NameEdits.forcedAlias(base, facts.scope()),
                Optional.of(values),
                key.isPresent()));
      }
    }
    if (targets.isEmpty()) {
      bases(facts).stream().findFirst().ifPresent(base -> targets.add(unassigned(base, facts)));
    }
    return targets;
  }

  /** MySQL updates several tables in no order. */
  private static void refuseCut(Statement.Update update) {
    boolean several =
        update.tables().size() > 1 || update.tables().getFirst() instanceof TableRef.Join;
    boolean ordered = !update.tail().orderBy().isEmpty();
    if (several && (ordered || update.tail().limit().isPresent())) {
      throw new AlraiException(
          ErrorCode.ER_WRONG_USAGE,
          "Incorrect usage of UPDATE and " + (ordered ? "ORDER BY" : "LIMIT"));
    }
  }

  /** Whether rows that move must be chosen first: no place can tell which ones they are. */
  private boolean areChosen(Statement.Update update) {
    return update.tables().size() != 1
        || !(update.tables().getFirst() instanceof TableRef.Named)
        || update.tail().limit().isPresent()
        || update.with().isPresent()
        || Refusals.isUnrepeatable(analysis);
  }

  private static AlraiException unmovable(WriteTarget target, String kind) {
    return unmovable(Placements.keyColumns(target.base().table()).getFirst(), kind);
  }

  private static AlraiException unmovable(String column, String kind) {
    return Planning.unsupported(
        "an UPDATE "
            + kind
            + " of the partition key column '"
            + column
            + "', which would move rows; DELETE them and INSERT them again");
  }

  /** The table whose column is assigned; a column that is not found is left to the mysqld. */
  private Optional<Relation.Base> target(Expr.Name column, BlockFacts facts) {
    Optional<ColumnRef> reference = facts.scope().resolve(column);
    return bases(facts).stream()
        .filter(base -> reference.map(ref -> ref.relation() == base.id()).orElse(false))
        .findFirst();
  }

  private boolean isKey(Table table, String column) {
    return !new Placements(planning.catalog()).atOnePlace(table)
        && Placements.keyColumns(table).stream().anyMatch(key -> key.equalsIgnoreCase(column));
  }

  public Plan.Write delete(Statement.Delete delete) {
    DeleteTargets.requireDatabase(planning, delete);
    BlockFacts facts = analyse(delete.with(), delete.from(), List.of(), delete.tail());
    DeleteTargets meant = new DeleteTargets(bases(facts), facts.scope(), planning.context());
    Set<Relation.Base> named = new LinkedHashSet<>();
    for (Statement.TargetTable target : delete.targets()) {
      Relation.Base base = meant.base(target);
      named.add(base);
      qualifyTarget(target, base, NameEdits.forcedAlias(base, facts.scope()));
    }
    List<WriteTarget> targets =
        bases(facts).stream()
            .filter(base -> named.isEmpty() || named.contains(base))
            .map(base -> unassigned(base, facts))
            .toList();
    checkTriggers(targets, "DELETE");
    return plan(targets, facts, delete.from(), delete.tail(), false);
  }

  private void checkTriggers(List<WriteTarget> targets, String event) {
    targets.forEach(
        target -> FiredTriggers.check(planning.catalog(), target.base().table(), Set.of(event)));
  }

  private static WriteTarget unassigned(Relation.Base base, BlockFacts facts) {
    return new WriteTarget(
        base, NameEdits.forcedAlias(base, facts.scope()), Optional.empty(), false);
  }

  /** A target without alias is named as FROM names its table. */
  private void qualifyTarget(
      Statement.TargetTable target, Relation.Base base, Optional<String> forcedAlias) {
    if (forcedAlias.isPresent()) {
      planning.edits().replace(target.span(), Identifier.quote(forcedAlias.get()));
    } else if (base.reference().alias().isEmpty()
        && (target.schema().isPresent() || base.reference().schema().isPresent())) {
      planning.edits().replace(target.span(), "");
      planning
          .edits()
          .replace(
              target.span(),
              base.table().temporary()
                  ? new SqlTemplate.Piece.Text(Identifier.quote(base.table().schema()))
                  : new SqlTemplate.Piece.PlaceSchema(),
              new SqlTemplate.Piece.Text("." + Identifier.quote(base.visibleName())));
    }
  }

  private static List<Relation.Base> bases(BlockFacts facts) {
    return facts.scope().relations().stream()
        .filter(relation -> relation instanceof Relation.Base)
        .map(relation -> (Relation.Base) relation)
        .toList();
  }

  private BlockFacts analyse(
      Optional<Query.With> with, List<TableRef> from, List<Expr> expressions, Statement.Tail tail) {
    Span span = new Span(0, planning.text().text().length());
    Query.Selection selection =
        new Query.Selection(span, Optional.empty(), Optional.empty(), List.of());
    Query.Block block =
        new Query.Block(
            span, selection, from, tail.where(), Optional.empty(), List.of(), Optional.empty());
    List<OrderItem> items = new ArrayList<>(tail.orderBy());
    expressions.forEach(expr -> items.add(new OrderItem(expr.span(), expr, false)));
    analysis.query(new Query(span, with, block, items, tail.limit(), List.of(), Optional.empty()));
    Refusals.check(analysis);
    return analysis.block(block).orElseThrow();
  }

  /** {@code chosen} says that places cannot choose the rows. */
  private Plan.Write plan(
      List<WriteTarget> targets,
      BlockFacts facts,
      List<TableRef> from,
      Statement.Tail tail,
      boolean chosen) {
    GatheredWritePlanner gathered =
        new GatheredWritePlanner(planning, analysis, targets, from, tail);
    boolean gathers = gathered.isOne();
    TargetChoice choice = TargetChoice.of(analysis, planning);
    if (targets.stream().anyMatch(target -> Placements.isBroadcast(target.base().table()))) {
      return copies(targets, tail, gathered, choice);
    }
    boolean moves = targets.stream().anyMatch(WriteTarget::moves);
    boolean scattered = choice.scattered().isPresent();
    if (gathers && (scattered || chosen)) {
      return gathered(gathered, choice, true, choice.reason());
    }
    if (chosen) {
      throw unmovable(
          targets.stream().filter(WriteTarget::moves).findFirst().orElseThrow(),
          "of chosen rows without a primary key");
    }
    boolean temporary = targets.stream().allMatch(target -> target.base().table().temporary());
    if (scattered && temporary && planning.interpreted().isEmpty()) {
      return new GatherPlanner(planning, analysis)
          .write(targets.getFirst().base().table(), texts::named, choice.reason());
    }
    if (scattered) {
      throw Planning.unsupported(
          "a write that reads tables of other places ("
              + choice.scattered().get()
              + "); SELECT the keys first");
    }
    Plan.StatementText pinned = texts.pinned(choice.naming());
    if (!choice.severalPlaces()) {
      return new Plan.Write(
          choice.targets(),
          pinned,
          texts.named(choice.naming()),
          Optional.empty(),
          choice.reason());
    }
    Optional<String> obstacle = analysis.obstacle();
    if (facts.components().size() != 1 && obstacle.isEmpty()) {
      obstacle = Optional.of("tables that are not partitioned alike");
    }
    if (obstacle.isPresent()) {
      return gathers
          ? gathered(gathered, choice, moves, choice.reason() + "; " + obstacle.get())
          : pinnedOnly(choice, pinned, obstacle.get());
    }
    SqlTemplate shardSql = texts.named(TableNaming.everywhere(planning.catalog()));
    Optional<KeyedWrite> keyed = Optional.empty();
    if (tail.limit().isPresent()) {
      TextEdits edits = texts.edits(TableNaming.everywhere(planning.catalog()));
      keyed = new KeyedWritePlanner(planning, analysis, facts, edits).plan(from, tail);
    }
    return new Plan.Write(choice.targets(), pinned, shardSql, keyed, choice.reason());
  }

  /** A write of broadcast tables. */
  private Plan.Write copies(
      List<WriteTarget> targets,
      Statement.Tail tail,
      GatheredWritePlanner gathered,
      TargetChoice choice) {
    Optional<AlraiException> unequal = unequalCopies(targets.getFirst().base().table(), tail);
    if (unequal.isEmpty()) {
      return everywhere(targets);
    }
    if (!gathered.isOne()) {
      throw unequal.get();
    }
    return gathered(gathered, choice, true, "copies of a broadcast table; " + choice.reason());
  }

  /** {@code never} says that no place can run the statement itself. */
  private Plan.Write gathered(
      GatheredWritePlanner planner, TargetChoice choice, boolean never, String reason) {
    KeyedWrite keyed =
        planner.plan(
            texts.edits(TableNaming.everywhere(planning.catalog())),
            never,
            new Refusal(Refusal.Way.PUSH_DOWN, reason));
    return new Plan.Write(
        never ? new Targets.All(List.of()) : choice.targets(),
        texts.pinned(choice.naming()),
        SqlTemplate.EMPTY,
        Optional.of(keyed),
        "rows chosen first: " + reason);
  }

  /** What one shard can do if its tables are pinned there, and several shards cannot. */
  private Plan.Write pinnedOnly(TargetChoice choice, Plan.StatementText pinned, String obstacle) {
    if (!(choice.targets() instanceof Targets.Keys)) {
      throw Planning.unsupported(
          "a write over several shards with " + obstacle + "; SELECT the keys first");
    }
    return new Plan.Write(
        choice.targets(),
        pinned,
        SqlTemplate.EMPTY,
        Optional.empty(),
        choice.reason() + "; one place only: " + obstacle);
  }

  /** Why the DNs, each for itself, would not do the same to their copies. */
  private Optional<AlraiException> unequalCopies(Table written, Statement.Tail tail) {
    Optional<Table> other =
        analysis.tables().stream()
            .map(Relation.Base::table)
            .filter(table -> !Placements.isBroadcast(table))
            .findFirst();
    if (other.isPresent()) {
      return Optional.of(
          Planning.unsupported(
              "a write of a broadcast table that reads '"
                  + other.get().name()
                  + "', which is not one"));
    }
    if (!planning.interpreted().isEmpty()) {
      return planning.interpreted().refusal();
    }
    if (Refusals.isUnrepeatable(analysis)) {
      return Optional.of(Refusals.unrepeatableCopies());
    }
    return tail.limit().isPresent() && !isOrderedByKey(written, tail)
        ? Optional.of(
            Planning.unsupported(
                "LIMIT without ORDER BY in a write of a broadcast table; add ORDER BY its key"))
        : Optional.empty();
  }

  /** Else the DNs may come upon other rows first: among equal ones there is no order. */
  private static boolean isOrderedByKey(Table table, Statement.Tail tail) {
    return table.primaryKey().stream()
        .allMatch(key ->
            tail.orderBy().stream()
                .anyMatch(item ->
                    item.expr() instanceof Expr.Name name && name.column().equalsIgnoreCase(key)));
  }

  private Plan.Write everywhere(List<WriteTarget> targets) {
    String schema = planning.context().currentSchema();
    boolean current =
        targets.stream().allMatch(target -> target.base().table().schema().equals(schema));
    TableNaming naming =
        current
            ? TableNaming.underBroadcast(planning.catalog())
            : TableNaming.underPlace(planning.catalog());
    PhysicalSchema physical = planning.catalog().broadcastSchema(targets.getFirst().base().table());
    return new Plan.Write(
        new Targets.EveryDn(physical),
        texts.pinned(naming),
        texts.named(naming),
        Optional.empty(),
        "a broadcast table");
  }
}
