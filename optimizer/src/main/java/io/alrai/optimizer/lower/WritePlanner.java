package io.alrai.optimizer.lower;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.executor.fragment.Plan;
import io.alrai.executor.fragment.Plan.KeyedWrite;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.executor.fragment.Targets;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.bind.Analysis;
import io.alrai.optimizer.bind.BlockFacts;
import io.alrai.optimizer.bind.ColumnRef;
import io.alrai.optimizer.bind.Relation;
import io.alrai.optimizer.shardsql.TableNaming;
import io.alrai.optimizer.shardsql.TextEdits;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Expr.OrderItem;
import io.alrai.optimizer.syntax.Identifier;
import io.alrai.optimizer.syntax.Query;
import io.alrai.optimizer.syntax.Span;
import io.alrai.optimizer.syntax.Statement;
import io.alrai.optimizer.syntax.TableRef;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** UPDATE and DELETE: analysed as a query block that has their tables and conditions. */
final class WritePlanner {
  private final Planning planning;
  private final Analysis analysis;
  private final PlaceTexts texts;

  WritePlanner(Planning planning) {
    this.planning = planning;
    this.analysis = planning.newAnalysis();
    this.texts = PlaceTexts.of(planning, analysis);
  }

  Plan update(Statement.Update update) {
    refuseCut(update);
    List<Expr> expressions = new ArrayList<>();
    for (Statement.Assignment assignment : update.assignments()) {
      expressions.add(assignment.column());
      expressions.add(assignment.value());
    }
    BlockFacts facts = analyse(update.with(), update.tables(), expressions, update.tail());
    Set<Relation.Base> targets = new LinkedHashSet<>();
    Optional<Relation.Base> moving = Optional.empty();
    for (Statement.Assignment assignment : update.assignments()) {
      Optional<Relation.Base> target = target(assignment.column(), facts);
      target.ifPresent(targets::add);
      if (target.isPresent() && isKey(target.get().table(), assignment.column().column())) {
        moving = target;
        FiredTriggers.refuseMove(target.get().table(), assignment.column().column());
        requireMovable(update, assignment.column().column());
      }
    }
    if (targets.isEmpty()) {
      bases(facts).stream().findFirst().ifPresent(targets::add);
    }
    checkTriggers(targets, "UPDATE");
    AssignedValues values = new AssignedValues(update.assignments(), planning.text().text());
    Plan.Write write = plan(targets, facts, update.tables(), update.tail(), Optional.of(values));
    if (moving.isEmpty()) {
      return write;
    }
    if (write.shardSql().pieces().isEmpty()) {
      throw unmovable(Placements.keyColumns(moving.get().table()).getFirst(), "over other tables");
    }
    TextEdits edits = texts.edits(TableNaming.everywhere());
    return new KeyUpdatePlanner(planning, update, moving.get(), edits).plan(write);
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

  private void requireMovable(Statement.Update update, String column) {
    String before = planning.text().text().substring(0, update.tables().getFirst().span().start());
    if (update.tables().size() != 1 || !(update.tables().getFirst() instanceof TableRef.Named)) {
      throw unmovable(column, "of several tables");
    }
    if (update.tail().limit().isPresent() || update.with().isPresent()) {
      throw unmovable(column, "with LIMIT or WITH");
    }
    if (before.toUpperCase(Locale.ROOT).contains("IGNORE")) {
      throw unmovable(column, "with IGNORE");
    }
    if (Refusals.isUnrepeatable(analysis)) {
      throw unmovable(column, "with RAND(), UUID() and the like");
    }
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

  Plan.Write delete(Statement.Delete delete) {
    BlockFacts facts = analyse(delete.with(), delete.from(), List.of(), delete.tail());
    Set<Relation.Base> targets = new LinkedHashSet<>();
    for (Statement.TargetTable target : delete.targets()) {
      Relation.Base base = target(target, facts);
      targets.add(base);
      qualifyTarget(target, base);
    }
    if (delete.targets().isEmpty()) {
      targets.addAll(bases(facts));
    }
    checkTriggers(targets, "DELETE");
    return plan(targets, facts, delete.from(), delete.tail(), Optional.empty());
  }

  private void checkTriggers(Set<Relation.Base> targets, String event) {
    targets.forEach(
        target -> FiredTriggers.check(planning.catalog(), target.table(), Set.of(event)));
  }

  private Relation.Base target(Statement.TargetTable target, BlockFacts facts) {
    return bases(facts).stream()
        .filter(base ->
            base.visibleName().equals(target.name().name())
                && target
                    .schema()
                    .map(schema -> schema.name().equals(base.table().schema()))
                    .orElse(true))
        .findFirst()
        .orElseThrow(() ->
            new AlraiException(
                io.alrai.common.error.ErrorCode.ER_UNKNOWN_TABLE,
                "Unknown table '" + target.name().name() + "' in MULTI DELETE"));
  }

  /** A target without alias is named as FROM names its table. */
  private void qualifyTarget(Statement.TargetTable target, Relation.Base base) {
    if (target.schema().isPresent() || base.reference().schema().isPresent()) {
      boolean byAlias = base.reference().alias().isPresent();
      String name = Identifier.quote(base.visibleName());
      planning.edits().replace(target.span(), byAlias ? name : "");
      if (!byAlias) {
        planning
            .edits()
            .replace(
                target.span(),
                base.table().temporary()
                    ? new SqlTemplate.Piece.Text(Identifier.quote(base.table().schema()))
                    : new SqlTemplate.Piece.PlaceSchema(),
                new SqlTemplate.Piece.Text("." + name));
      }
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

  private Plan.Write plan(
      Set<Relation.Base> targets,
      BlockFacts facts,
      List<TableRef> from,
      Statement.Tail tail,
      Optional<AssignedValues> values) {
    boolean anyBroadcast = targets.stream().anyMatch(base -> Placements.isBroadcast(base.table()));
    if (anyBroadcast) {
      return everywhere(targets, tail);
    }
    TargetChoice choice = TargetChoice.of(analysis, planning);
    Plan.StatementText pinned = texts.pinned(choice.naming());
    GatheredWritePlanner gathered =
        new GatheredWritePlanner(planning, analysis, targets.iterator().next(), from, tail, values);
    boolean gathers = targets.size() == 1 && gathered.isOne();
    if (choice.scattered().isPresent() && gathers) {
      return gathered(gathered, choice, pinned, choice.reason());
    }
    boolean temporary = targets.stream().allMatch(base -> base.table().temporary());
    if (choice.scattered().isPresent() && temporary && planning.interpreted().isEmpty()) {
      return new GatherPlanner(planning, analysis)
          .write(targets.iterator().next().table(), texts::named, choice.reason());
    }
    if (choice.scattered().isPresent()) {
      throw Planning.unsupported(
          "a write that reads tables of other places ("
              + choice.scattered().get()
              + "); SELECT the keys first");
    }
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
          ? gathered(gathered, choice, pinned, choice.reason() + "; " + obstacle.get())
          : pinnedOnly(choice, pinned, obstacle.get());
    }
    SqlTemplate shardSql = texts.named(TableNaming.everywhere());
    Optional<KeyedWrite> keyed = Optional.empty();
    if (tail.limit().isPresent()) {
      TextEdits edits = texts.edits(TableNaming.everywhere());
      keyed = new KeyedWritePlanner(planning, analysis, facts, edits).plan(from, tail);
    }
    return new Plan.Write(choice.targets(), pinned, shardSql, keyed, choice.reason());
  }

  private Plan.Write gathered(
      GatheredWritePlanner planner, TargetChoice choice, Plan.StatementText pinned, String reason) {
    boolean scattered = choice.scattered().isPresent();
    KeyedWrite keyed = planner.plan(texts.edits(TableNaming.everywhere()), scattered);
    return new Plan.Write(
        choice.targets(),
        pinned,
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

  private Plan.Write everywhere(Set<Relation.Base> targets, Statement.Tail tail) {
    planning.interpreted().refuse();
    for (Relation.Base base : analysis.tables()) {
      if (!Placements.isBroadcast(base.table())) {
        throw Planning.unsupported(
            "a write of a broadcast table that reads '"
                + base.table().name()
                + "', which is not one");
      }
    }
    if (Refusals.isUnrepeatable(analysis)) {
      throw Refusals.unrepeatableCopies();
    }
    if (tail.limit().isPresent() && tail.orderBy().isEmpty()) {
      throw Planning.unsupported(
          "LIMIT without ORDER BY in a write of a broadcast table; add ORDER BY its key");
    }
    String schema = planning.context().currentSchema();
    boolean current = targets.stream().allMatch(base -> base.table().schema().equals(schema));
    TableNaming naming = current ? TableNaming.underBroadcast() : TableNaming.underPlace();
    String physical = targets.iterator().next().table().schema() + "_b";
    return new Plan.Write(
        new Targets.EveryDn(physical),
        texts.pinned(naming),
        texts.named(naming),
        Optional.empty(),
        "a broadcast table");
  }
}
