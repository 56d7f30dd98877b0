package io.alrai.cn.write;

import io.alrai.cn.route.Router;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.statement.RowNumbers;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.text.ExecutorParts;
import io.alrai.cn.text.PlaceText;
import io.alrai.cn.text.SessionText;
import io.alrai.cn.text.ShiftedSlots;
import io.alrai.cn.text.TemplateText;
import io.alrai.cn.tx.branch.TransactionBranch;
import io.alrai.cn.write.WriteExecutor.PlaceStatement;
import io.alrai.common.id.DnId;
import io.alrai.common.wire.OkPacket;
import io.alrai.executor.fragment.InsertRows;
import io.alrai.executor.fragment.InsertRows.Cell;
import io.alrai.executor.fragment.InsertRows.Placement;
import io.alrai.executor.fragment.ShardPlace;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * INSERT and REPLACE with VALUES: ids are made, rows are split by place, and each place gets one
 * statement of its rows; all or nothing. Virtual threads.
 */
public final class InsertExecutor {
  private static final int STATEMENT_BYTES = 16 << 20;

  private final ExecutorParts parts;
  private final RowEvaluation evaluation;
  private final AtomicInteger turn = new AtomicInteger();

  public InsertExecutor(ExecutorParts parts) {
    this.parts = parts;
    this.evaluation = new RowEvaluation(parts);
  }

  /** Some rows for one place. */
  private record Part(PlaceStatement statement, int rows) {}

  /** Runs an INSERT and answers the client. */
  public void run(StatementRun run, InsertRows rows) {
    InsertedRow row = new InsertedRow(run, rows);
    GeneratedIds ids = new GeneratedIds(parts.sequences(), run.session());
    InsertOutcome outcome = new InsertOutcome(RowEvaluation.ignores(rows));
    rows.autoIncrement()
        .ifPresent(auto -> {
          evaluate(run, rows, row, uncertainIds(auto, row), List.of(auto.cell()), outcome);
          ids.assign(auto, row);
        });
    switch (rows.placement()) {
      case Placement.ByKey byKey -> {
        int[] places = places(run, rows, byKey, row, outcome);
        send(run, checked(run, rows, row, ids, byKey.places(), places), ids, outcome);
      }
      case Placement.AnyOf any -> {
        ShardPlace place = any(run.session(), any.places());
        int[] places = new int[row.rowCount()];
        send(run, checked(run, rows, row, ids, List.of(place), places), ids, outcome);
      }
      case Placement.EveryDn every -> everywhere(run, rows, row, every, ids, outcome);
    }
    if (!outcome.evaluated().isEmpty()) {
      takeEvaluated(run, rows, outcome.evaluated());
    }
    answer(run, rows, row, ids, outcome);
  }

  private static void takeEvaluated(StatementRun run, InsertRows rows, List<Condition> evaluated) {
    List<Condition> ofPlaces = run.shards().takeWarnings();
    Queue<Condition> all = run.shards().collector();
    if (rows.tail().pieces().isEmpty()) {
      all.addAll(RowNumbers.merged(evaluated, ofPlaces, rows.columns()));
    } else {
      // an update of a row that is there warns after all cells of that one, of some of them again
      all.addAll(evaluated);
      all.addAll(ofPlaces);
    }
  }

  private void answer(
      StatementRun run, InsertRows rows, InsertedRow row, GeneratedIds ids, InsertOutcome outcome) {
    Session session = run.session();
    boolean one = row.rowCount() == 1;
    boolean told = rows.autoIncrement().isPresent() && ids.reported() != 0;
    long reported = 0;
    if (told) {
      reported = one ? outcome.lastId() : outcome.affectedRows() > 0 ? ids.reported() : 0;
    }
    boolean byFunction = told && one && reported != 0 && reported != ids.reported();
    if ((ids.first() != 0 && reported != 0) || byFunction) {
      session.last().lastInsertId(reported);
    }
    session.last().rowCount(outcome.affectedRows());
    run.writer().ok(outcome.ok(reported, run.statusFlags(), !one));
  }

  private static List<Integer> uncertainIds(InsertRows.AutoIncrement auto, InsertedRow row) {
    List<Integer> uncertain = new ArrayList<>();
    for (int i = 0; i < row.rowCount(); i++) {
      if (GeneratedIds.isUncertain(auto, row.at(i))) {
        uncertain.add(i);
      }
    }
    return uncertain;
  }

  private void evaluate(
      StatementRun run,
      InsertRows rows,
      InsertedRow row,
      List<Integer> indexes,
      List<Integer> cells,
      InsertOutcome outcome) {
    if (!indexes.isEmpty()) {
      outcome.evaluated(evaluation.store(run, rows, row, indexes, cells, (stored, index) -> {}));
    }
  }

  /** The place of each row. */
  private int[] places(
      StatementRun run,
      InsertRows rows,
      Placement.ByKey byKey,
      InsertedRow row,
      InsertOutcome outcome) {
    String charset = SessionText.charset(run.session().variables());
    Router.Storing storing = parts.router().storing(byKey.function(), byKey.cells(), charset);
    int[] places = new int[row.rowCount()];
    List<Integer> uncertain = new ArrayList<>();
    for (int i = 0; i < places.length; i++) {
      places[i] = storing.index(row.at(i));
      if (places[i] == Router.UNKNOWN) {
        uncertain.add(i);
      }
    }
    if (!uncertain.isEmpty()) {
      List<Condition> warnings =
          evaluation.store(
              run,
              rows,
              row,
              uncertain,
              byKey.cells(),
              (stored, index) ->
                  places[index] =
                      parts.router().indexOfStored(byKey.function(), stored, SessionText.COPIED));
      outcome.evaluated(warnings);
    }
    return places;
  }

  /** One of the places; in a transaction one on a DN that it has touched. */
  private ShardPlace any(Session session, List<ShardPlace> places) {
    for (TransactionBranch branch : session.transaction().branches()) {
      DnId touched = branch.branch().dn();
      List<ShardPlace> there = places.stream().filter(p -> p.dn().equals(touched)).toList();
      if (!there.isEmpty()) {
        return there.get(Math.floorMod(turn.getAndIncrement(), there.size()));
      }
    }
    return places.get(Math.floorMod(turn.getAndIncrement(), places.size()));
  }

  /** The parts, if no row with a generated id replaces another one. */
  private List<Part> checked(
      StatementRun run,
      InsertRows rows,
      InsertedRow row,
      GeneratedIds ids,
      List<ShardPlace> places,
      int[] placeOfRow) {
    ReplacedRows replaced = new ReplacedRows(parts, run, rows);
    if (replaced.mayHave(ids.lastMade())) {
      int last = ids.lastRow();
      ByteArrayOutputStream text = new ByteArrayOutputStream(64);
      new RowText(run, rows, row).append(last, text);
      replaced.refuse(places.get(placeOfRow[last]), text.toByteArray(), last);
    }
    return parts(run, rows, row, places, placeOfRow);
  }

  private List<Part> parts(
      StatementRun run,
      InsertRows rows,
      InsertedRow row,
      List<ShardPlace> places,
      int[] placeOfRow) {
    RowText text = new RowText(run, rows, row);
    ByteArrayOutputStream[] open = new ByteArrayOutputStream[places.size()];
    IntStream.Builder[] indexes = new IntStream.Builder[places.size()];
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < placeOfRow.length; i++) {
      int at = placeOfRow[i];
      ByteArrayOutputStream sql = open[at];
      if (sql == null) {
        sql = new ByteArrayOutputStream(1024 + (placeOfRow.length == 1 ? run.sql().length : 0));
        open[at] = sql;
        indexes[at] = IntStream.builder();
        sql.writeBytes(PlaceText.render(run, rows.head(), places.get(at).physicalSchema().name()));
        sql.write(' ');
      } else {
        sql.write(',');
      }
      text.append(i, sql);
      indexes[at].add(i);
      if (sql.size() > STATEMENT_BYTES) {
        parts.add(part(run, rows, row, places.get(at), sql, indexes[at].build().toArray()));
        open[at] = null;
      }
    }
    for (int at = 0; at < open.length; at++) {
      ByteArrayOutputStream sql = open[at];
      if (sql != null) {
        parts.add(part(run, rows, row, places.get(at), sql, indexes[at].build().toArray()));
      }
    }
    return parts;
  }

  private static Part part(
      StatementRun run,
      InsertRows rows,
      InsertedRow row,
      ShardPlace place,
      ByteArrayOutputStream sql,
      int[] indexes) {
    sql.write(' ');
    sql.writeBytes(
        TemplateText.render(
            rows.tail(),
            new ShiftedSlots(run.values(), row.tailShift()),
            place.physicalSchema().name(),
            run.session()));
    return new Part(new PlaceStatement(place, sql.toByteArray(), indexes, false), indexes.length);
  }

  private static void send(
      StatementRun run, List<Part> all, GeneratedIds ids, InsertOutcome outcome) {
    List<PlaceStatement> statements = all.stream().map(Part::statement).toList();
    List<OkPacket> answers =
        statements.size() == 1
            ? WriteExecutor.answers(run, statements)
            : WriteExecutor.allOrNone(run, statements);
    for (int i = 0; i < answers.size(); i++) {
      outcome.add(answers.get(i), all.get(i).rows());
      ids.made(all.get(i).statement().rows(), answers.get(i).lastInsertId());
    }
  }

  /** Inserts equal rows on every DN: what differs at every evaluation is evaluated once. */
  private void everywhere(
      StatementRun run,
      InsertRows rows,
      InsertedRow row,
      Placement.EveryDn every,
      GeneratedIds ids,
      InsertOutcome outcome) {
    List<Integer> indexes = new ArrayList<>();
    TreeSet<Integer> cells = new TreeSet<>();
    for (int i = 0; i < row.rowCount(); i++) {
      row.at(i);
      for (int cell = 0; cell < row.cells(); cell++) {
        if (row.cell(cell) instanceof Cell.Expression && !row.isMade(cell)) {
          cells.add(cell);
          if (indexes.isEmpty() || indexes.getLast() != i) {
            indexes.add(i);
          }
        }
      }
    }
    evaluate(run, rows, row, indexes, List.copyOf(cells), outcome);
    List<DnId> dns = parts.links().dns();
    ShardPlace first = new ShardPlace(0, every.physicalSchema(), dns.getFirst());
    List<Part> one = checked(run, rows, row, ids, List.of(first), new int[row.rowCount()]);
    List<OkPacket> answers =
        run.shards()
            .atomically(() -> {
              List<OkPacket> counted = new ArrayList<>();
              for (Part part : one) {
                counted.add(onEveryDn(run, part, dns));
              }
              return counted;
            });
    for (int i = 0; i < answers.size(); i++) {
      outcome.add(answers.get(i), one.get(i).rows());
    }
  }

  private static OkPacket onEveryDn(StatementRun run, Part part, List<DnId> dns) {
    List<PlaceStatement> statements =
        PlaceStatement.everywhere(
            dns,
            part.statement.place().physicalSchema(),
            part.statement.sql(),
            part.statement.rows());
    return WriteExecutor.answers(run, statements).getFirst();
  }
}
