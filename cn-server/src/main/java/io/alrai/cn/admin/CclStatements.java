package io.alrai.cn.admin;

import io.alrai.cn.ask.Answers;
import io.alrai.cn.ask.AskRow;
import io.alrai.cn.ccl.RuleCounts;
import io.alrai.cn.result.ResultTable;
import io.alrai.cn.settings.Diagnostics;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.system.CnParts;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.type.JsonString;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.CclRule;
import io.alrai.gms.api.CclRules;
import io.alrai.optimizer.api.CclStatement;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** CREATE, SHOW, DROP CCL_RULE and CLEAR CCL_RULES. Blocking. */
final class CclStatements {
  /** What other CNs answer: a row for each rule. */
  private static final String RULES = "ccl rules";

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

  private final CnParts parts;

  CclStatements(CnParts parts) {
    this.parts = parts;
    parts.sessions().asks().answers(RULES, question -> counts());
  }

  void run(StatementRun run, CclStatement statement) {
    switch (statement) {
      case CclStatement.Create create -> create(run, create);
      case CclStatement.Drop drop -> drop(run, drop);
      case CclStatement.Clear _ -> {
        everywhere(CclRules.clear(parts.gms().catalog()));
        CnAdmin.ok(run);
      }
      case CclStatement.Show show -> show(run, show);
    }
  }

  private void create(StatementRun run, CclStatement.Create create) {
    Catalog catalog = parts.gms().catalog();
    CclRule rule = create.rule();
    if (CclRules.has(catalog, rule.name())) {
      String there = "ccl rule '" + rule.name() + "' already exists";
      if (!create.ifNotExists()) {
        throw new AlraiException(ErrorCode.ER_TABLE_EXISTS_ERROR, there);
      }
      CnAdmin.ok(run, note(ErrorCode.ER_TABLE_EXISTS_ERROR, there));
      return;
    }
    if (CclRules.count(catalog) >= CclRules.MOST) {
      throw new AlraiException(
          ErrorCode.ER_OUT_OF_RESOURCES,
          "there are " + CclRules.MOST + " CCL rules, and can be no more: drop some first");
    }
    everywhere(CclRules.put(rule.createdAt(parts.wallMillis().getAsLong())));
    CnAdmin.ok(run);
  }

  private void drop(StatementRun run, CclStatement.Drop drop) {
    Catalog catalog = parts.gms().catalog();
    List<String> unknown =
        drop.names().stream().filter(name -> !CclRules.has(catalog, name)).toList();
    String missing = "Unknown ccl rule '" + String.join("', '", unknown) + "'";
    if (!unknown.isEmpty() && !drop.ifExists()) {
      throw new AlraiException(ErrorCode.ER_UNKNOWN_TABLE, missing);
    }
    List<CatalogCommand> commands = drop.names().stream().map(CclRules::drop).toList();
    everywhere(new CatalogCommand.Batch(commands));
    CnAdmin.ok(
        run, unknown.isEmpty() ? Diagnostics.NONE : note(ErrorCode.ER_UNKNOWN_TABLE, missing));
  }

  private static Diagnostics note(ErrorCode code, String sentence) {
    return Diagnostics.of(List.of(new Condition("Note", code.errno(), sentence)));
  }

  /** Returns when all CNs have it. */
  private void everywhere(CatalogCommand command) {
    parts.gms().awaitCatalogEverywhere(parts.gms().submit(command).version());
  }

  private List<AskRow> counts() {
    List<AskRow> rows = new ArrayList<>();
    parts
        .rules()
        .counts()
        .forEach((rule, counts) ->
            rows.add(
                AskRow.of(
                    CclRule.key(rule.name()),
                    counts.running(),
                    counts.waiting(),
                    counts.refused(),
                    counts.knownShapes(),
                    counts.matched())));
    return rows;
  }

  private void show(StatementRun run, CclStatement.Show show) {
    Set<String> wanted = show.names().stream().map(CclRule::key).collect(Collectors.toSet());
    Answers answers = parts.sessions().asks().ask(RULES, AskRow.of());
    ResultTable result =
        new ResultTable()
            .requiredNumber("NO.", 10)
            .requiredText("RULE_NAME", 64)
            .requiredNumber("RUNNING", 10)
            .requiredNumber("WAITING", 10)
            .requiredNumber("KILLED", 20)
            .requiredNumber("MATCH_HIT_CACHE", 20)
            .requiredNumber("TOTAL_MATCH", 20)
            .requiredNumber("ACTIVE_NODE_COUNT", 10)
            .requiredNumber("MAX_CONCURRENCY_PER_NODE", 10)
            .requiredNumber("WAIT_QUEUE_SIZE_PER_NODE", 10)
            .requiredNumber("WAIT_TIMEOUT", 10)
            .requiredNumber("FAST_MATCH", 1)
            .requiredNumber("LIGHT_WAIT", 1)
            .requiredText("SQL_TYPE", 8)
            .text("USER", 320)
            .requiredText("TABLE", 129)
            .text("KEYWORDS", 4_096)
            .text("TEMPLATE_ID", 4_096)
            .text("QUERY", 1)
            .requiredText("CREATED_TIME", 19);
    int number = 0;
    for (CclRule rule : CclRules.of(parts.gms().catalog())) {
      number++;
      String key = CclRule.key(rule.name());
      if (wanted.isEmpty() || wanted.contains(key)) {
        result.row(row(number, rule, sum(answers, key), answers.byNode().size()));
      }
    }
    ShowStatements.write(run, result, answers.warnings());
  }

  private static RuleCounts sum(Answers answers, String key) {
    return answers.rows().stream()
        .filter(row -> row.text(0).equals(key))
        .map(row ->
            new RuleCounts(
                row.number(1), row.number(2), row.number(3), row.number(4), row.number(5)))
        .reduce(RuleCounts.NONE, RuleCounts::plus);
  }

  private static @Nullable Object[] row(int number, CclRule rule, RuleCounts counts, int nodes) {
    CclRule.Limits limits = rule.limits();
    return new @Nullable Object[] {
      number,
      rule.name(),
      counts.running(),
      counts.waiting(),
      counts.refused(),
      counts.knownShapes(),
      counts.matched(),
      nodes,
      limits.concurrency(),
      limits.queue(),
      limits.waitSeconds(),
      limits.fastMatch() ? 1 : 0,
      1,
      rule.verb(),
      rule.to().equals(CclRule.Client.ANYBODY) ? null : rule.to().user() + "@" + rule.to().host(),
      rule.on(),
      keywords(rule),
      rule.filter().templates().isEmpty() ? null : String.join(",", rule.filter().templates()),
      null,
      TIME.format(
          LocalDateTime.ofInstant(
              Instant.ofEpochMilli(rule.createdMillis()), ZoneId.systemDefault()))
    };
  }

  /** As PolarDB-X shows them: a list in JSON. */
  private static @Nullable String keywords(CclRule rule) {
    List<String> keywords = rule.filter().keywords();
    return keywords.isEmpty()
        ? null
        : keywords.stream().map(CclStatements::quoted).collect(Collectors.joining(",", "[", "]"));
  }

  private static String quoted(String keyword) {
    StringBuilder json = new StringBuilder();
    JsonString.append(json, keyword);
    return json.toString();
  }
}
