package io.alrai.optimizer.route.insert;

import io.alrai.executor.fragment.CheckView;
import io.alrai.executor.fragment.InsertRows;
import io.alrai.executor.fragment.Plan;
import io.alrai.executor.fragment.Refusal;
import io.alrai.executor.fragment.ShardPlace;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.executor.fragment.SqlTemplate.Piece;
import io.alrai.executor.fragment.Targets;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.bind.Analysis;
import io.alrai.optimizer.bind.Anchor;
import io.alrai.optimizer.bind.BlockFacts;
import io.alrai.optimizer.bind.ColumnRef;
import io.alrai.optimizer.bind.Locality;
import io.alrai.optimizer.bind.Names;
import io.alrai.optimizer.bind.Relation.Output;
import io.alrai.optimizer.route.Alternative;
import io.alrai.optimizer.route.OnePlaceNaming;
import io.alrai.optimizer.route.PlaceTexts;
import io.alrai.optimizer.route.Placements;
import io.alrai.optimizer.route.Planning;
import io.alrai.optimizer.route.Refusals;
import io.alrai.optimizer.route.TargetChoice;
import io.alrai.optimizer.route.TextResults;
import io.alrai.optimizer.route.gather.GatherPlanner;
import io.alrai.optimizer.route.select.SelectPlanner;
import io.alrai.optimizer.route.select.SharedLocks;
import io.alrai.optimizer.shardsql.TableNaming;
import io.alrai.optimizer.shardsql.TextEdits;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Query;
import io.alrai.optimizer.syntax.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** INSERT and REPLACE ... SELECT: whole on each shard where rows stay there, else row by row. */
public final class InsertSelectPlanner {
  private final Planning planning;
  private final Analysis analysis;
  private final Placements placements;

  public InsertSelectPlanner(Planning planning) {
    this.planning = planning;
    this.analysis = planning.newAnalysis();
    this.placements = new Placements(planning.catalog());
  }

  public Plan.InsertSelect plan(Statement.InsertQuery insert) {
    if (insert.target().partitionSelection()) {
      throw Planning.unsupported("PARTITION (...) in INSERT; leave it out");
    }
    Names names = new Names(planning.catalog(), planning.context().currentSchema());
    Table table = names.table(insert.target().schema(), insert.target().name());
    QueryValues values = new QueryValues(planning, insert, table);
    InsertRows rows = rows(values.hasSubqueries() ? values.slots() : Map.of());
    Query query = insert.query();
    analysis.query(query);
    if (values.hasSubqueries()) {
      return rowByRow(insert, table, values, "ON DUPLICATE KEY UPDATE by a query");
    }
    Plan.Select select = new SelectPlanner(planning, analysis).plan(query, query.span());
    return switch (pushed(insert, table, query)) {
      case Alternative.Possible<Plan.Write>(Plan.Write pushed) ->
          plan(query, Optional.of(pushed), select, rows, List.of());
      case Alternative.Refused<Plan.Write>(String reason) ->
          values.isEmpty()
              ? plan(query, Optional.empty(), select, rows, notPushed(reason))
              : rowByRow(insert, table, values, reason);
    };
  }

  private Plan.InsertSelect plan(
      Query query,
      Optional<Plan.Write> pushed,
      Plan.Select select,
      InsertRows rows,
      List<Refusal> refusals) {
    Optional<Plan.Select> locking =
        pushed.isPresent() ? Optional.empty() : new SharedLocks(planning).select();
    SqlTemplate text = new TextEdits(planning.text()).of(query.span());
    return new Plan.InsertSelect(
        pushed, select, locking, rows, 0, text, TextResults.among(query), refusals);
  }

  private static List<Refusal> notPushed(String reason) {
    return List.of(new Refusal(Refusal.Way.PUSH_DOWN, reason));
  }

  private InsertRows rows(Map<Span, List<Piece>> values) {
    return InsertPlanner.rowsOfQuery(planning.statement(), planning.context(), values);
  }

  /** ON DUPLICATE KEY UPDATE reads columns of the query, which gives them beside the others. */
  private Plan.InsertSelect rowByRow(
      Statement.InsertQuery insert, Table table, QueryValues values, String notPushed) {
    Optional<BlockFacts> facts =
        insert.query().body() instanceof Query.Block block
            ? analysis.block(block)
            : Optional.empty();
    Planning wider = values.wider(insert.query(), facts, "");
    Planning locking =
        values.readsRow() ? values.wider(insert.query(), facts, " FOR UPDATE") : wider;
    values.check(insert, table, facts);
    Query query = ((Statement.InsertQuery) wider.tree()).query();
    Analysis wide = wider.newAnalysis();
    wide.query(query);
    return new Plan.InsertSelect(
        Optional.empty(),
        new SelectPlanner(wider, wide).plan(query, query.span()),
        new SharedLocks(locking, locking.statement()).select(),
        rows(values.slots()),
        values.count(),
        SqlTemplate.EMPTY,
        Set.of(),
        notPushed(notPushed));
  }

  private Alternative<Plan.Write> pushed(Statement.InsertQuery insert, Table table, Query query) {
    // a view that checks has no name by which ON DUPLICATE KEY UPDATE could qualify columns
    boolean renamed =
        InsertPlanner.checkOf(planning.statement()).isPresent() && !insert.onDuplicate().isEmpty();
    if (renamed) {
      return new Alternative.Refused<>("ON DUPLICATE KEY UPDATE through a view WITH CHECK OPTION");
    }
    if (!table.temporary() && !keepsIds(insert, table, query)) {
      return new Alternative.Refused<>("AUTO_INCREMENT, whose values the CN gives");
    }
    TargetChoice choice = TargetChoice.of(analysis, planning);
    if (choice.scattered().isPresent()) {
      return table.temporary() && planning.interpreted().isEmpty()
          ? new Alternative.Possible<>(
              new GatherPlanner(planning, analysis)
                  .write(table, naming -> text(insert, table, naming), choice.reason()))
          : new Alternative.Refused<>(choice.scattered().get());
    }
    if (Placements.isBroadcast(table)) {
      return everywhere(insert, table, query, choice);
    }
    if (placements.atOnePlace(table)) {
      return atOnePlace(insert, table, choice);
    }
    return beside(insert, table, query, choice);
  }

  /** Source and target in one table group, and the key goes where it came from. */
  private Alternative<Plan.Write> beside(
      Statement.InsertQuery insert, Table table, Query query, TargetChoice choice) {
    if (!choice.severalPlaces()) {
      return new Alternative.Refused<>("rows of one place that go to several");
    }
    return wholeOnShards(query).then(facts -> beside(insert, table, choice, facts));
  }

  private Alternative<Plan.Write> beside(
      Statement.InsertQuery insert, Table table, TargetChoice choice, BlockFacts facts) {
    List<Optional<ColumnRef>> keys = new ArrayList<>();
    for (String key : Placements.keyColumns(table)) {
      keys.add(output(insert, table, key, facts).flatMap(Output::reference));
    }
    List<Anchor> anchors = facts.components().getFirst().anchors();
    boolean stays =
        anchors.stream()
            .anyMatch(anchor ->
                anchor.tableGroup() == table.tableGroupId()
                    && anchor.sendsTo(keys, facts.equalities()));
    if (!stays) {
      return new Alternative.Refused<>("rows that go to other places than where they are");
    }
    return new Alternative.Possible<>(
        new Plan.Write(
            choice.targets(),
            pinned(insert, table, choice.naming()),
            text(insert, table, TableNaming.everywhere(planning.catalog())),
            Optional.empty(),
            choice.reason() + "; rows stay on their shard"));
  }

  /** The facts of a query each of whose shards gives its part of the result. */
  private Alternative<BlockFacts> wholeOnShards(Query query) {
    if (analysis.obstacle().isPresent()) {
      return new Alternative.Refused<>(analysis.obstacle().get());
    }
    if (query.limit().isPresent()) {
      return new Alternative.Refused<>("LIMIT over several places");
    }
    if (!(query.body() instanceof Query.Block block)) {
      return new Alternative.Refused<>("a set operation over several places");
    }
    Optional<BlockFacts> facts = analysis.block(block);
    if (facts.isEmpty()
        || facts.get().components().size() != 1
        || facts.get().outputs().isEmpty()) {
      return new Alternative.Refused<>("columns that only a mysqld can tell");
    }
    Locality locality =
        new Locality(block, facts.get().scope(), facts.get().equalities(), planning.literals());
    List<ColumnRef> columns =
        facts.get().outputs().get().stream()
            .flatMap(output -> output.reference().stream())
            .toList();
    return locality.holds(facts.get().components().getFirst().anchors(), columns)
        ? new Alternative.Possible<>(facts.get())
        : new Alternative.Refused<>("groups, windows or distinct rows that cross shards");
  }

  private Alternative<Plan.Write> atOnePlace(
      Statement.InsertQuery insert, Table table, TargetChoice choice) {
    ShardPlace place = placements.places(table).getFirst();
    boolean near =
        choice.targets() instanceof Targets.AnyDn any && !(any.tables() && table.temporary())
            || (choice.targets() instanceof Targets.One one && one.place().dn().equals(place.dn()));
    if (!near) {
      return new Alternative.Refused<>("rows of other places than the table's");
    }
    TableNaming naming = new OnePlaceNaming(placements, place);
    return new Alternative.Possible<>(
        new Plan.Write(
            new Targets.One(place),
            pinned(insert, table, naming),
            text(insert, table, naming),
            Optional.empty(),
            "all at one place"));
  }

  private Alternative<Plan.Write> everywhere(
      Statement.InsertQuery insert, Table table, Query query, TargetChoice choice) {
    boolean same =
        choice.targets() instanceof Targets.AnyDn
            && query.limit().isEmpty()
            && !Refusals.isUnrepeatable(analysis);
    if (!same) {
      return new Alternative.Refused<>("rows that may not be the same on all DNs");
    }
    TableNaming naming = TableNaming.everywhere(planning.catalog());
    return new Alternative.Possible<>(
        new Plan.Write(
            new Targets.EveryDn(planning.catalog().broadcastSchema(table)),
            pinned(insert, table, naming),
            text(insert, table, naming),
            Optional.empty(),
            "a broadcast table"));
  }

  /** Whether no AUTO_INCREMENT value has to be made: the query gives them all. */
  private boolean keepsIds(Statement.InsertQuery insert, Table table, Query query) {
    Optional<Column> auto = table.autoIncrementColumn();
    if (auto.isEmpty()) {
      return true;
    }
    if (!(query.body() instanceof Query.Block block)) {
      return false;
    }
    return analysis
        .block(block)
        .flatMap(facts -> output(insert, table, auto.get().name(), facts))
        .flatMap(Output::column)
        .map(column -> !column.nullable() && column.autoIncrement())
        .orElse(false);
  }

  /** The query's column that goes into a column of the table. */
  static Optional<Output> output(
      Statement.InsertQuery insert, Table table, String column, BlockFacts facts) {
    List<String> names =
        insert.columns().isEmpty()
            ? table.columns().stream().filter(one -> !one.invisible()).map(Column::name).toList()
            : insert.columns().stream().map(Identifier::name).toList();
    List<Output> outputs = facts.outputs().orElse(List.of());
    for (int i = 0; i < Math.min(names.size(), outputs.size()); i++) {
      if (names.get(i).equalsIgnoreCase(column)) {
        return Optional.of(outputs.get(i));
      }
    }
    return Optional.empty();
  }

  private Plan.StatementText pinned(Statement.InsertQuery insert, Table table, TableNaming naming) {
    TextEdits edits = edits(insert, table, naming);
    Span whole = whole();
    return edits.changes(whole)
        ? new Plan.StatementText.Rewritten(edits.of(whole))
        : new Plan.StatementText.Verbatim();
  }

  private SqlTemplate text(Statement.InsertQuery insert, Table table, TableNaming naming) {
    return edits(insert, table, naming).of(whole());
  }

  private Span whole() {
    return new Span(0, planning.text().text().length());
  }

  private TextEdits edits(Statement.InsertQuery insert, Table table, TableNaming naming) {
    TextEdits edits = PlaceTexts.of(planning, analysis).edits(naming);
    Optional<Piece> schema = naming.schema(table, insert.target().schema().isPresent());
    String name =
        InsertPlanner.checkOf(planning.statement()).map(CheckView::name).orElse(table.name());
    schema.ifPresent(piece ->
        edits.replace(
            insert.target().nameSpan(), piece, new Piece.Text("." + Identifier.quote(name))));
    for (Statement.Assignment assignment : insert.onDuplicate()) {
      unqualify(assignment.column(), edits);
      assignment.value().walk(expr -> unqualify(expr, edits));
    }
    return edits;
  }

  private static void unqualify(Expr expr, TextEdits edits) {
    if (expr instanceof Expr.Name name && name.parts().size() == 3) {
      edits.remove(new Span(name.span().start(), name.parts().get(1).span().start()));
    }
  }
}
