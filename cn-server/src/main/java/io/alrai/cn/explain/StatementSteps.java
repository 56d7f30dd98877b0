package io.alrai.cn.explain;

import io.alrai.cn.explain.Step.Sample;
import io.alrai.cn.route.Router;
import io.alrai.cn.statement.LogicalNames;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.text.PlaceText;
import io.alrai.cn.text.SessionText;
import io.alrai.common.id.DnId;
import io.alrai.executor.fragment.GatherPlan;
import io.alrai.executor.fragment.InsertRows;
import io.alrai.executor.fragment.MergePlan;
import io.alrai.executor.fragment.Plan;
import io.alrai.executor.fragment.Plan.StatementText;
import io.alrai.executor.fragment.Refusal;
import io.alrai.executor.fragment.ShardPlace;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.executor.fragment.Targets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The steps of one statement. One virtual thread. */
final class StatementSteps {
  /** How much of a statement is shown in a step. */
  private static final int MOST_TEXT = 1_000;

  private final StatementRun run;
  private final SqlTemplate.Piece prefix;
  private final Sample asWritten;
  private final Router router;
  private final LogicalNames names;
  private final List<DnId> dns;

  /**
   * Those of a run.
   *
   * @param prefix EXPLAIN and its options
   * @param asWritten the client's text over tables without rows
   * @param dns all
   */
  StatementSteps(
      StatementRun run,
      String prefix,
      Sample asWritten,
      Router router,
      LogicalNames names,
      List<DnId> dns) {
    this.run = run;
    this.prefix = new SqlTemplate.Piece.Text(prefix);
    this.asWritten = asWritten;
    this.router = router;
    this.names = names;
    this.dns = List.copyOf(dns);
  }

  /** The last step. */
  Step of(Plan plan) {
    return switch (plan) {
      case Plan.Select select -> select(select);
      case Plan.Write write -> write(write);
      case Plan.KeyUpdate update -> {
        Step written = write(update.update());
        yield new Step("Move rows whose new key leads to another partition", List.of(written));
      }
      case Plan.Insert insert -> insert(insert.rows());
      case Plan.InsertSelect insert ->
          insert
              .pushed()
              .map(this::write)
              .orElseGet(() ->
                  new Step(
                      into(insert.rows()) + because(insert.refusals()),
                      List.of(shown(select(insert.select())))));
      case Plan.Checked checked -> of(checked.write());
      case Plan.Raising raising -> of(raising.write());
    };
  }

  private Step select(Plan.Select select) {
    List<ShardPlace> places = places(select.targets());
    if (places.size() == 1) {
      return pinned(select.pinned(), places.getFirst());
    }
    if (select.merge().isPresent() && !places.isEmpty()) {
      return merge(select.merge().get(), places);
    }
    return select.gather().map(this::gather).orElseGet(() -> new Step("", asWritten));
  }

  /** One place's text; a mysqld tells of all. */
  private Step pinned(StatementText text, ShardPlace place) {
    return new Step("", atPlaces(text, List.of(place)));
  }

  private Sample atPlaces(StatementText text, List<ShardPlace> places) {
    return new Sample(
        places,
        place ->
            text instanceof StatementText.Rewritten rewritten
                ? explain(rewritten.sql(), place)
                : PlaceText.verbatim(run));
  }

  /** As a part of another step, it says where. */
  private Step shown(Step step) {
    return step.atOnePlace() && step.sample().isPresent()
        ? new Step("Rows of " + partitions(step.sample().get().places()), step.sample(), List.of())
        : step;
  }

  private Step merge(MergePlan merge, List<ShardPlace> places) {
    List<String> done = new ArrayList<>();
    merge.aggregation().ifPresent(_ -> done.add("aggregate"));
    if (!merge.distinct().isEmpty()) {
      done.add("distinct");
    }
    if (!merge.sort().isEmpty()) {
      done.add(merge.aggregation().isPresent() ? "sort" : "sorted rows stay in order");
    }
    merge.limit().ifPresent(_ -> done.add("limit"));
    String how = done.isEmpty() ? "" : ", " + String.join(", ", done);
    return new Step(
        "Merge rows of " + partitions(places) + how + ": " + text(merge.shardSql(), places),
        sample(merge.shardSql(), places));
  }

  private Step gather(GatherPlan gather) {
    List<Step> before = new ArrayList<>();
    for (GatherPlan.Source source : gather.tables()) {
      gathered(source).ifPresent(before::add);
    }
    String what =
        gather.join().isPresent()
            ? "Join rows on the CN, or copies of them if they are many"
            : "Run over copies of rows";
    return new Step(
        what + because(gather.refusals()) + ": " + text(gather.sql(), List.of()), before);
  }

  /** Why no better way is taken. */
  private static String because(List<Refusal> refusals) {
    return refusals.isEmpty()
        ? ""
        : refusals.stream().map(Refusal::text).collect(Collectors.joining("; ", " (", ")"));
  }

  private Optional<Step> gathered(GatherPlan.Source source) {
    List<ShardPlace> places = places(source.targets());
    if (places.isEmpty()) {
      return Optional.empty();
    }
    if (source.groups().isPresent()) {
      return Optional.of(merge(source.groups().get().merge(), places));
    }
    String linked =
        source.keys().isEmpty()
            ? ""
            : source.keys().stream()
                .map(link -> link.column() + " = " + link.source() + "." + link.sourceColumn())
                .collect(Collectors.joining(", ", " (only rows with ", ")"));
    return Optional.of(
        new Step(
            "Read rows of "
                + source.table()
                + " in "
                + partitions(places)
                + linked
                + ": "
                + text(source.select(), places),
            new Sample(
                places,
                place -> explain(source.select(), place),
                fromOn(text(source.select(), places)))));
  }

  private Step write(Plan.Write write) {
    List<ShardPlace> places = places(write.targets());
    if (write.targets() instanceof Targets.EveryDn) {
      return new Step("Write on every DN", atPlaces(write.pinned(), places));
    }
    if (places.size() == 1 && write.gathered().isEmpty() && !write.callsFunctions()) {
      return pinned(write.pinned(), places.getFirst());
    }
    if (write.keyed().isPresent()) {
      return keyed(write.keyed().get(), places);
    }
    if (!write.shardSql().pieces().isEmpty() && !places.isEmpty()) {
      return new Step(
          "Write in " + partitions(places) + ": " + text(write.shardSql(), places),
          sample(write.shardSql(), places));
    }
    return write.gathered().map(this::gather).orElseGet(() -> new Step("", asWritten));
  }

  private Step keyed(Plan.KeyedWrite write, List<ShardPlace> places) {
    Step rows =
        switch (write.rows()) {
          case Plan.KeySource.Merged(MergePlan plan) when !places.isEmpty() -> merge(plan, places);
          case Plan.KeySource.Merged _ -> new Step("Choose rows", asWritten);
          case Plan.KeySource.Gathered gathered -> gather(gathered.plan());
          case Plan.KeySource.Rehearsed rehearsed -> gather(rehearsed.plan());
        };
    String texts =
        write.targets().stream()
            .map(target -> text(target.head(), places) + " " + target.keyColumns())
            .collect(Collectors.joining("; "));
    return new Step(
        "Write the rows that are chosen" + because(List.of(write.refusal())) + ": " + texts,
        List.of(rows));
  }

  private Step insert(InsertRows rows) {
    ShardPlace place = router.single(rows, run.values(), run.statement().foldedRows());
    return place == null
        ? new Step(into(rows), asWritten)
        : pinned(new StatementText.Verbatim(), place);
  }

  private static String into(InsertRows rows) {
    String where =
        switch (rows.placement()) {
          case InsertRows.Placement.ByKey key -> partitions(key.places()) + ", by key";
          case InsertRows.Placement.AnyOf any ->
              (any.places().size() > 1 ? "any of " : "") + partitions(any.places());
          case InsertRows.Placement.EveryDn _ -> "every DN";
        };
    return "Insert rows into " + rows.schema() + "." + rows.table() + ": " + where;
  }

  /** All of a table on every DN are the same; one reads, and one tells of the writes of all. */
  private List<ShardPlace> places(Targets targets) {
    return switch (targets) {
      case Targets.AnyDn any ->
          any.tables()
              ? List.of(new ShardPlace(0, any.physicalSchema(), dns.getFirst()))
              : List.of();
      case Targets.EveryDn every ->
          dns.stream().map(dn -> new ShardPlace(0, every.physicalSchema(), dn)).toList();
      case Targets.Keys _, Targets.All _, Targets.One _ ->
          router.places(targets, run.values(), SessionText.charset(run.session().variables()));
    };
  }

  /** A join by the CN may read fewer columns. */
  private static String fromOn(String select) {
    int from = select.indexOf(" FROM ");
    return from < 0 ? select : select.substring(from);
  }

  private Sample sample(SqlTemplate sql, List<ShardPlace> places) {
    return new Sample(places, place -> explain(sql, place), text(sql, places));
  }

  private byte[] explain(SqlTemplate sql, ShardPlace place) {
    List<SqlTemplate.Piece> pieces = new ArrayList<>();
    pieces.add(prefix);
    pieces.addAll(sql.pieces());
    return PlaceText.render(run, new SqlTemplate(pieces), place.physicalSchema().name());
  }

  private String text(SqlTemplate sql, List<ShardPlace> places) {
    String schema = places.isEmpty() ? "" : places.getFirst().physicalSchema().name();
    String text =
        new String(
            PlaceText.render(run, sql, schema), run.session().variables().lexicalMode().charset());
    String logical = logical(names, text);
    return logical.length() > MOST_TEXT ? logical.substring(0, MOST_TEXT) + "..." : logical;
  }

  /** A text for mysqlds in one line, with the client's names. */
  static String logical(LogicalNames names, String text) {
    return names.text(text).replace("``.", "").replaceAll("\\s+", " ").strip();
  }

  private static String partitions(List<ShardPlace> places) {
    String on =
        places.stream()
            .map(place -> place.dn().name())
            .distinct()
            .sorted()
            .collect(Collectors.joining(", "));
    return places.size() + (places.size() == 1 ? " partition on " : " partitions on ") + on;
  }
}
