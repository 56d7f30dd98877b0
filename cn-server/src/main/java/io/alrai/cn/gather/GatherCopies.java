package io.alrai.cn.gather;

import io.alrai.cn.branch.RowAccess;
import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.shard.SessionShards;
import io.alrai.cn.shard.StatementViews;
import io.alrai.cn.statement.ShardRows;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.text.ExecutorParts;
import io.alrai.cn.text.FloatDigits;
import io.alrai.cn.text.PlaceText;
import io.alrai.cn.text.SessionText;
import io.alrai.cn.text.UnionText;
import io.alrai.cn.tx.SessionTransaction;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.common.type.MysqlType;
import io.alrai.executor.fragment.GatherPlan.KeyLink;
import io.alrai.executor.fragment.GatherPlan.Source;
import io.alrai.executor.fragment.ShardPlace;
import io.alrai.executor.fragment.Targets;
import io.alrai.executor.operator.RowSource;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the rows of a gathered statement's tables, consistent reads at one snapshot. Tables that
 * are confined by their own conditions come first. Of a table that is joined with them, only rows
 * with their values are read, where these are few. One virtual thread.
 */
final class GatherCopies {
  /** With more values than this the whole table is read, which is not much worse then. */
  private static final int MOST_KEYS = 5_000;

  /** The cost in EXPLAIN's first line, which is that of the whole result. */
  private static final Pattern EXPECTED = Pattern.compile("rows=([0-9.e+]+)");

  private final ExecutorParts parts;
  private final StatementRun run;
  private final ScratchSite site;
  private final Map<Source, List<ShardPlace>> places;
  private final FloatDigits digits;
  private final IntConsumer warnings;
  private final Set<String> copied = new HashSet<>();
  private final Map<String, Optional<LinkedKeys>> known = new HashMap<>();
  private final Map<Source, Long> estimates = new HashMap<>();
  private StatementViews views = StatementViews.NONE;

  /**
   * The copies of a statement.
   *
   * @param places those of every table's rows
   * @param digits of the FLOATs where the rows are not copied into columns
   * @param warnings gets how many each shard had
   */
  GatherCopies(
      ExecutorParts parts,
      StatementRun run,
      ScratchSite site,
      Map<Source, List<ShardPlace>> places,
      FloatDigits digits,
      IntConsumer warnings) {
    this.parts = parts;
    this.run = run;
    this.site = site;
    this.places = places;
    this.digits = digits;
    this.warnings = warnings;
  }

  /** Copies all; once. */
  void fill(List<Source> sources) {
    Set<DnId> dns = new LinkedHashSet<>();
    int reads = 0;
    for (Source source : sources) {
      if (!source.locking()) {
        places(source).forEach(place -> dns.add(place.dn()));
        reads += places(source).size();
      }
    }
    SessionShards shards = run.shards();
    if (reads > 1) {
      views = site.reading(() -> shards.awaitViews(dns, false));
    }
    try {
      List<Source> open = new ArrayList<>(sources);
      while (!open.isEmpty()) {
        Source next = next(open);
        open.remove(next);
        fill(next);
        site.filled(next);
        copied.add(next.scratchName());
      }
    } finally {
      shards.endViews(views);
    }
  }

  private List<ShardPlace> places(Source source) {
    return Objects.requireNonNull(places.get(source));
  }

  /**
   * The next table to copy: first those confined to keys, then the one with the fewest values to
   * look for, or rows.
   */
  private Source next(List<Source> open) {
    for (Source source : open) {
      if (open.size() == 1 || source.targets() instanceof Targets.Keys) {
        return source;
      }
    }
    List<Source> linked = open.stream().filter(source -> keys(source).isPresent()).toList();
    if (!linked.isEmpty()) {
      return least(linked, source -> keys(source).orElseThrow().literals().size());
    }
    List<Source> filtered = open.stream().filter(Source::filtered).toList();
    return least(
        filtered.isEmpty() ? open : filtered,
        source -> estimates.computeIfAbsent(source, this::estimate));
  }

  private static Source least(List<Source> sources, ToLongFunction<Source> rows) {
    return sources.size() == 1
        ? sources.getFirst()
        : sources.stream().min(Comparator.comparingLong(rows)).orElseThrow();
  }

  /**
   * How many rows a mysqld expects, by its indexes and statistics. It is asked on the connection
   * where the rows will be read: another one could have to wait for locks of this session.
   */
  private long estimate(Source source) {
    List<ShardPlace> all = places(source);
    ShardPlace first = all.getFirst();
    byte[] explain = SessionText.encoded(run.session().variables(), Sql.of("EXPLAIN FORMAT=TREE "));
    byte[] select = PlaceText.render(run, source.select(), first.physicalSchema().name());
    ShardCall call =
        site.reading(() ->
            run.shards()
                .startUntold(
                    first.dn(),
                    joined(explain, select),
                    RowAccess.ofSelect(source.locking()),
                    source.locking() ? StatementViews.NONE : views));
    try (RowSource rows = new ShardRows(call, name -> name, count -> {})) {
      double expected = 0;
      while (rows.advance()) {
        Matcher found =
            EXPECTED.matcher(new String(rows.row().value(0), StandardCharsets.ISO_8859_1));
        expected += found.find() ? Double.parseDouble(found.group(1)) : 0;
      }
      return (long) Math.ceil(expected * all.size());
    }
  }

  /** The fewest values that confine a table so far. */
  private Optional<LinkedKeys> keys(Source source) {
    Optional<LinkedKeys> fewest = Optional.empty();
    for (KeyLink link : source.keys()) {
      if (copied.contains(link.source())) {
        Optional<LinkedKeys> found =
            known.computeIfAbsent(
                source.scratchName() + "." + link.column() + "=" + link, any -> read(link));
        boolean fewer =
            found.isPresent()
                && (fewest.isEmpty()
                    || found.get().literals().size() < fewest.get().literals().size());
        fewest = fewer ? found : fewest;
      }
    }
    return fewest;
  }

  /** Empty where there are too many. */
  private Optional<LinkedKeys> read(KeyLink link) {
    try (RowSource rows = site.values(link, MOST_KEYS + 1)) {
      LinkedKeys keys =
          LinkedKeys.read(
              link, rows, parts.router(), SessionText.literals(run.session().variables()));
      return keys.literals().size() > MOST_KEYS ? Optional.empty() : Optional.of(keys);
    }
  }

  private void fill(Source source) {
    Map<ShardPlace, byte[]> selects = selects(source);
    if (source.locking()) {
      selects.forEach((place, select) -> copy(source, List.of(start(source, place.dn(), select))));
      return;
    }
    List<ShardCall> calls = new ArrayList<>();
    try {
      PlacesByDn.of(List.copyOf(selects.keySet()))
          .forEach((dn, group) -> {
            byte[] select =
                UnionText.all(
                    group.stream()
                        .map(place -> Objects.requireNonNull(selects.get(place)))
                        .toList());
            if (isHere(dn) && !hasJson(source)) {
              site.addHere(source, select);
            } else {
              calls.add(start(source, dn, select));
            }
          });
      copy(source, calls);
    } finally {
      calls.forEach(ShardCall::close);
    }
  }

  /** The statement for each place that may have rows. */
  private Map<ShardPlace, byte[]> selects(Source source) {
    Map<ShardPlace, byte[]> selects = new LinkedHashMap<>();
    Optional<LinkedKeys> keys = keys(source);
    if (keys.isPresent()) {
      keys.get()
          .at(places(source))
          .forEach((place, values) ->
              selects.put(place, select(source, place, condition(source, keys.get(), values))));
    } else {
      places(source).forEach(place -> selects.put(place, select(source, place, new byte[0])));
    }
    return selects;
  }

  private byte[] condition(Source source, LinkedKeys keys, List<String> values) {
    Sql start =
        (source.filtered() ? Sql.of(" AND ") : Sql.of(" WHERE "))
            .name(keys.link().column())
            .words(" IN (");
    return joined(
        SessionText.encoded(run.session().variables(), start),
        (String.join(",", values) + ")").getBytes(StandardCharsets.ISO_8859_1));
  }

  private byte[] select(Source source, ShardPlace place, byte[] condition) {
    return joined(
        PlaceText.render(run, source.select(), place.physicalSchema().name()),
        condition,
        source.lock().getBytes(StandardCharsets.US_ASCII));
  }

  private static byte[] joined(byte[]... texts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream(512);
    for (byte[] text : texts) {
      all.writeBytes(text);
    }
    return all.toByteArray();
  }

  /** Whether one statement can both read and copy, because no view is needed. */
  private boolean isHere(DnId dn) {
    SessionTransaction transaction = run.session().transaction();
    return site.isAt(dn)
        && views.isNone()
        && !transaction.open()
        && !transaction.held().tableLocks().held();
  }

  /** Documents come in a form from which literals can be made. */
  private boolean hasJson(Source source) {
    return parts
        .gms()
        .catalog()
        .table(source.schema(), source.table())
        .map(table -> table.columns().stream().anyMatch(column -> column.type() == MysqlType.JSON))
        .orElse(false);
  }

  private ShardCall start(Source source, DnId dn, byte[] select) {
    SessionShards shards = run.shards();
    return site.reading(() ->
        shards.start(
            dn,
            "",
            digits.compared(select, ""),
            RowAccess.ofSelect(source.locking()),
            source.locking() ? StatementViews.NONE : views));
  }

  private void copy(Source source, List<ShardCall> calls) {
    for (ShardCall call : calls) {
      try (RowSource rows = new ShardRows(call, name -> name, warnings)) {
        site.add(source, rows);
      }
    }
  }
}
