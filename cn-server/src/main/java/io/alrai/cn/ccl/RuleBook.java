package io.alrai.cn.ccl;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CclRule;
import io.alrai.gms.api.CclRules;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.ExplainAnalyze;
import io.alrai.optimizer.api.Need;
import io.alrai.optimizer.api.Needs;
import io.alrai.optimizer.api.Planned.Verb;
import io.alrai.optimizer.api.Planned.Work;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.api.text.StatementKind;
import io.alrai.optimizer.api.token.TokenCursor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The CCL rules of a CN, as the catalog has them, with their places. A rule that is changed, or
 * dropped and created again, begins with all places free. Thread-safe.
 */
public final class RuleBook {
  private final RuleTotals totals;
  private volatile Known known = new Known(-1, List.of());

  @GuardedBy("this")
  private final Map<CclRule, RuleQueue> queues = new HashMap<>();

  /** Those of one version of the catalog. */
  private record Known(long version, List<RuleQueue> queues) {}

  /** Without any until it has seen a catalog. */
  public RuleBook(RuleTotals totals) {
    this.totals = totals;
  }

  /** Follows the catalog; never blocks for long. Any thread. */
  public void follow(Catalog catalog) {
    at(catalog);
  }

  private List<RuleQueue> at(Catalog catalog) {
    Known now = known;
    return now.version >= catalog.version() ? now.queues : renew(catalog);
  }

  private List<RuleQueue> renew(Catalog catalog) {
    List<RuleQueue> gone = new ArrayList<>();
    List<RuleQueue> all = new ArrayList<>();
    synchronized (this) {
      if (known.version >= catalog.version()) {
        return known.queues;
      }
      Set<CclRule> left = new HashSet<>();
      for (CclRule rule : CclRules.of(catalog)) {
        left.add(rule);
        all.add(queues.computeIfAbsent(rule, key -> new RuleQueue(key, totals)));
      }
      queues.values().removeIf(queue -> !left.contains(queue.rule()) && gone.add(queue));
      known = new Known(catalog.version(), List.copyOf(all));
    }
    gone.forEach(RuleQueue::close);
    return all;
  }

  /**
   * The rules that may be about a shape; null for none.
   *
   * @param schema the current one
   * @param needs names its tables
   */
  public @Nullable ShapeRules of(
      Catalog catalog, Work work, ShapedText text, String schema, Supplier<Needs> needs) {
    List<RuleQueue> rules = at(catalog);
    if (rules.isEmpty()) {
      return null;
    }
    CclRule.Verb verb = verb(work, text);
    if (verb == null) {
      return null;
    }
    List<ShapeRules.Candidate> candidates = new ArrayList<>();
    List<Need.NamedTable> tables = null;
    TokenCursor tokens = null;
    for (RuleQueue queue : rules) {
      CclRule rule = queue.rule();
      if (rule.verb() != verb) {
        continue;
      }
      if (tables == null && !rule.on().isAny()) {
        tables = tables(needs.get());
      }
      if (tables != null && !isAbout(rule.on(), tables, schema)) {
        continue;
      }
      List<String> keywords = rule.filter().keywords();
      if (tokens == null && !keywords.isEmpty()) {
        tokens =
            new TokenCursor(
                text.shape(), text.mode().ansiQuotes(), text.mode().noBackslashEscapes());
      }
      candidates.add(
          new ShapeRules.Candidate(
              queue,
              tokens == null || keywords.isEmpty() ? null : KeywordOrder.of(keywords, tokens)));
    }
    return candidates.isEmpty() ? null : new ShapeRules(candidates);
  }

  private static List<Need.NamedTable> tables(Needs needs) {
    return needs.all().stream()
        .filter(Need.NamedTable.class::isInstance)
        .map(Need.NamedTable.class::cast)
        .toList();
  }

  /** A statement without tables is of its current schema. */
  private static boolean isAbout(CclRule.Scope scope, List<Need.NamedTable> tables, String schema) {
    if (scope.isAny()) {
      return true;
    }
    return tables.isEmpty()
        ? scope.table().equals(CclRule.ANY) && scope.schema().equals(schema)
        : tables.stream().anyMatch(table -> scope.has(table.schema(), table.table()));
  }

  private static CclRule.@Nullable Verb verb(Work work, ShapedText text) {
    if (text.kind() == StatementKind.DO) {
      return null;
    }
    return switch (work) {
      case Work.Data(Verb verb, _) ->
          switch (verb) {
            case SELECT -> CclRule.Verb.SELECT;
            case INSERT, REPLACE -> CclRule.Verb.INSERT;
            case UPDATE -> CclRule.Verb.UPDATE;
            case DELETE -> CclRule.Verb.DELETE;
          };
      case Work.Administrative(AdminStatement statement) -> verb(statement, text);
    };
  }

  private static CclRule.@Nullable Verb verb(AdminStatement statement, ShapedText text) {
    if (statement instanceof AdminStatement.WithCalls) {
      return verb(text);
    }
    if (statement instanceof AdminStatement.ExplainOnShard explain) {
      return ExplainAnalyze.runs(explain) ? CclRule.Verb.SELECT : null;
    }
    return statement instanceof AdminStatement.OverRows
            && !(statement instanceof AdminStatement.NamedLocks)
        ? CclRule.Verb.SELECT
        : null;
  }

  /** By the first word. */
  private static CclRule.@Nullable Verb verb(ShapedText text) {
    return switch (text.kind()) {
      case QUERY -> CclRule.Verb.SELECT;
      case INSERT, REPLACE -> CclRule.Verb.INSERT;
      case UPDATE -> CclRule.Verb.UPDATE;
      case DELETE -> CclRule.Verb.DELETE;
      case EMPTY, DO, CALL, EXPLAIN, SET, USE, SHOW, BEGIN, COMMIT, ROLLBACK, OTHER -> null;
    };
  }

  /** What each rule does at this CN, in the order in which they are asked. */
  public Map<CclRule, RuleCounts> counts() {
    Map<CclRule, RuleCounts> counts = new LinkedHashMap<>();
    known.queues.forEach(queue -> counts.put(queue.rule(), queue.counts()));
    return counts;
  }

  /** What all of them do together. */
  public RuleCounts total() {
    return known.queues.stream().map(RuleQueue::counts).reduce(RuleCounts.NONE, RuleCounts::plus);
  }
}
