package io.alrai.optimizer.api.explain;

import io.alrai.executor.fragment.GatherPlan;
import io.alrai.executor.fragment.InsertRows;
import io.alrai.executor.fragment.JoinPlan;
import io.alrai.executor.fragment.MergePlan;
import io.alrai.executor.fragment.MergePlan.Limit;
import io.alrai.executor.fragment.MergePlan.Output;
import io.alrai.executor.fragment.MergePlan.RowKey;
import io.alrai.executor.fragment.MergePlan.SortKey;
import io.alrai.executor.fragment.Plan;
import io.alrai.executor.fragment.Plan.StatementText;
import io.alrai.executor.fragment.Refusal;
import io.alrai.executor.fragment.Targets;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.Planned;
import io.alrai.optimizer.api.Planned.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** EXPLAIN SHARDING: which shards a statement touches, with which text, and what follows above. */
public final class PlanText {
  private final List<String> lines = new ArrayList<>();

  private PlanText() {}

  /** The lines for a plan; {@code ?n} is the statement's literal or parameter number n. */
  public static List<String> of(Planned planned) {
    PlanText text = new PlanText();
    switch (planned.work()) {
      case Work.Data data -> {
        text.lines.add("verb: " + data.verb());
        text.plan(data.plan());
      }
      case Work.Administrative(AdminStatement.AssigningSelect assigning) -> {
        text.lines.add("verb: SELECT, assigns");
        text.select(assigning.query());
      }
      case Work.Administrative admin ->
          text.lines.add("by the CN: " + admin.statement().getClass().getSimpleName());
    }
    if (planned.exactTextOnly()) {
      text.lines.add("kept for: this text only");
    }
    return text.lines;
  }

  private void plan(Plan plan) {
    switch (plan) {
      case Plan.Select select -> select(select);
      case Plan.Write write -> write(write);
      case Plan.KeyUpdate update -> {
        write(update.update());
        lines.add("new keys:");
        merge(update.newKeys());
        lines.add("then rows are moved");
      }
      case Plan.Insert insert -> insert(insert.rows());
      case Plan.InsertSelect insert -> {
        if (insert.pushed().isPresent()) {
          write(insert.pushed().get());
        } else {
          refused(insert.refusals());
          select(insert.select());
          insert.locking().ifPresent(_ -> lines.add("in transactions: what it reads is locked"));
          insert(insert.rows());
        }
      }
      case Plan.Raising raising -> {
        plan(raising.write());
        raising
            .sequences()
            .forEach(raised ->
                lines.add("then ids go on above " + raised.table() + "." + raised.column()));
      }
      case Plan.Checked checked -> {
        plan(checked.write());
        checked
            .views()
            .forEach(view ->
                lines.add(
                    "checked as view "
                        + view.schema()
                        + "."
                        + view.view()
                        + ": "
                        + view.condition()));
      }
    }
  }

  private void select(Plan.Select select) {
    lines.add("reason: " + select.reason());
    lines.add("shards: " + TargetText.of(select.targets()));
    boolean never = select.targets().equals(new Targets.All(List.of()));
    if (!never) {
      pinned(select.pinned());
    }
    select.merge().ifPresent(this::merge);
    select
        .gather()
        .ifPresent(gather -> {
          refused(gather.refusals());
          gather(gather);
        });
    if (select.namedByText()) {
      lines.add("names: by the text as sent");
    }
    if (select.locking()) {
      lines.add("locking: yes");
    }
  }

  /** The reason above is that of the merge. */
  private void refused(List<Refusal> refusals) {
    refusals.stream()
        .filter(refusal -> refusal.way() != Refusal.Way.MERGE)
        .forEach(refusal -> lines.add(refusal.text()));
  }

  private void pinned(StatementText text) {
    lines.add(
        switch (text) {
          case StatementText.Verbatim verbatim -> "one shard: as sent";
          case StatementText.Rewritten rewritten ->
              "one shard: " + TemplateText.of(rewritten.sql());
        });
  }

  private void write(Plan.Write write) {
    lines.add("reason: " + write.reason());
    lines.add("shards: " + TargetText.of(write.targets()));
    pinned(write.pinned());
    boolean several = !write.shardSql().pieces().isEmpty();
    if (several || write.keyed().isEmpty()) {
      lines.add(
          "several shards: "
              + (several ? TemplateText.of(write.shardSql()) : "refused, error 1235"));
    }
    write
        .keyed()
        .ifPresent(keyed -> {
          lines.add("rows chosen first:");
          switch (keyed.rows()) {
            case Plan.KeySource.Merged merged -> merge(merged.plan());
            case Plan.KeySource.Gathered gathered -> gather(gathered.plan());
            case Plan.KeySource.Rehearsed rehearsed -> {
              gather(rehearsed.plan());
              lines.add("over the copies: " + TemplateText.of(rehearsed.statement()));
              rehearsed.values().forEach(sql -> lines.add("values: " + TemplateText.of(sql)));
            }
          }
          keyed.targets().forEach(this::keyed);
        });
  }

  private void keyed(Plan.KeyedTarget target) {
    lines.add("then by key: " + TemplateText.of(target.head()) + " " + target.keyColumns());
    if (!target.assigned().isEmpty()) {
      lines.add("  assigned: " + target.assigned());
    }
    if (target.home() instanceof Targets.EveryDn) {
      lines.add("  at every DN");
    }
    if (target.moved().isPresent()) {
      lines.add("  then rows are moved");
    }
  }

  private void merge(MergePlan merge) {
    lines.add("each shard: " + TemplateText.of(merge.shardSql()));
    if (!merge.sortedShardSql().equals(merge.shardSql())) {
      lines.add("sorted: " + TemplateText.of(merge.sortedShardSql()));
    }
    boolean sorted = !merge.sort().isEmpty();
    merge.aggregation().ifPresent(this::groups);
    if (!merge.distinct().isEmpty()) {
      lines.add("  distinct " + keys(merge.distinct()));
    }
    if (sorted) {
      String verb = merge.aggregation().isPresent() ? "  sort by " : "  merge by ";
      lines.add(verb + sortKeys(merge.sort()));
    }
    merge.limit().ifPresent(limit -> lines.add("  limit " + limit(limit)));
    lines.add("  columns: " + merge.visibleColumns());
  }

  private static String limit(Limit limit) {
    String offset = limit.offsetSlot() >= 0 ? "?" + limit.offsetSlot() : "" + limit.offset();
    String count = limit.countSlot() >= 0 ? "?" + limit.countSlot() : "" + limit.count();
    return count + " offset " + offset;
  }

  private static String keys(List<RowKey> keys) {
    return keys.stream().map(PlanText::key).collect(Collectors.joining(", ", "[", "]"));
  }

  private static String key(RowKey key) {
    return key.column()
        + (key.weightColumn() < 0 ? "" : " weight " + key.weightColumn())
        + (key.ascii().isPresent() ? " unless ASCII" : "");
  }

  private static String sortKeys(List<SortKey> keys) {
    return keys.stream().map(PlanText::sortKey).collect(Collectors.joining(", "));
  }

  private static String sortKey(SortKey key) {
    return key(key.key()) + (key.descending() ? " desc" : "");
  }

  private void groups(MergePlan.Aggregation aggregation) {
    lines.add("  aggregate by " + keys(aggregation.groupBy()) + ": " + outputs(aggregation));
  }

  private void groups(GatherPlan.Groups groups) {
    lines.add("groups as: " + TemplateText.of(groups.definition()));
    groups.merge().aggregation().ifPresent(this::groups);
  }

  private static String outputs(MergePlan.Aggregation aggregation) {
    return aggregation.outputs().stream().map(PlanText::output).collect(Collectors.joining(", "));
  }

  private static String output(Output output) {
    return switch (output) {
      case Output.Any any -> "any " + any.column();
      case Output.Count count -> "count " + count.column();
      case Output.Sum sum -> "sum " + sum.column();
      case Output.Min min -> "min " + key(min.key());
      case Output.Max max -> "max " + key(max.key());
      case Output.Average average -> "avg " + average.sumColumn() + "/" + average.countColumn();
    };
  }

  private void gather(GatherPlan gather) {
    gather.join().ifPresent(this::join);
    gather.groups().ifPresent(this::groups);
    gather.tables().forEach(source -> lines.add("gather " + source(source)));
    String tables = gather.overTables() ? "over tables with statistics: " : "";
    lines.add("then: " + tables + TemplateText.of(gather.sql()));
  }

  private static String source(GatherPlan.Source source) {
    return source.scratchName()
        + ": "
        + TargetText.of(source.targets())
        + ": "
        + TemplateText.of(source.select())
        + source.lock()
        + links(source.keys());
  }

  /** Columns of keys are numbered, in a table's rows and in those that it is joined with. */
  private void join(JoinPlan join) {
    for (JoinPlan.Member member : join.members()) {
      String keys =
          member.keys().stream()
              .map(key -> key.own().column() + " = " + key.before().column())
              .collect(Collectors.joining(", "));
      lines.add(
          (member.outer() ? "left join " : "join ")
              + source(member.source())
              + (keys.isEmpty() ? "" : "; columns " + keys));
    }
    if (!join.missing().isEmpty()) {
      lines.add("  NULL: " + join.missing());
    }
    lines.add("  kept: " + join.picked());
    join.aggregation().ifPresent(this::groups);
    if (!join.sort().isEmpty()) {
      lines.add("  sort by " + sortKeys(join.sort()));
    }
    join.limit().ifPresent(limit -> lines.add("  limit " + limit(limit)));
    lines.add("  columns: " + join.visibleColumns());
    lines.add("of more rows than a CN holds:");
  }

  private static String links(List<GatherPlan.KeyLink> links) {
    return links.stream()
        .map(link -> "; " + link.column() + " in " + link.source() + "." + link.sourceColumn())
        .collect(Collectors.joining());
  }

  private void insert(InsertRows rows) {
    lines.add("rows into: " + rows.schema() + "." + rows.table() + " " + rows.columns());
    lines.add(
        "placed: "
            + switch (rows.placement()) {
              case InsertRows.Placement.ByKey key -> "by cells " + key.cells();
              case InsertRows.Placement.AnyOf any -> "any of " + any.places().size();
              case InsertRows.Placement.EveryDn every -> "every DN under " + every.physicalSchema();
            });
    lines.add(
        "each shard: " + TemplateText.of(rows.head()) + " ... " + TemplateText.of(rows.tail()));
    rows.autoIncrement()
        .ifPresent(ids ->
            lines.add(
                "ids: "
                    + ids.column()
                    + " from "
                    + (ids.ofMysqld() ? "the mysqld" : ids.sequence())
                    + (ids.cell() < 0 ? "" : " at cell " + ids.cell())
                    + (ids.appended() && !ids.ofMysqld() ? ", appended" : "")));
    if (rows.verbatim()) {
      lines.add("one shard: as sent");
    }
  }
}
