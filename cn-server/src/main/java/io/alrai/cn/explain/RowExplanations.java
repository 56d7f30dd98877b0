package io.alrai.cn.explain;

import io.alrai.cn.branch.RowAccess;
import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.ddl.rule.CheckViewKeeper;
import io.alrai.cn.explain.Step.Sample;
import io.alrai.cn.route.Router;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.Diagnostics;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.settings.SettingsCharset;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.cn.statement.LogicalNames;
import io.alrai.cn.statement.StatementRun;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.id.PhysicalSchema;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.fragment.Plan;
import io.alrai.executor.fragment.ShardPlace;
import io.alrai.gms.api.GmsService;
import io.alrai.gms.api.node.DataNode;
import io.alrai.optimizer.api.ExplainAnalyze;
import io.alrai.optimizer.api.inspect.ExplainedStatement;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** EXPLAIN of statements over rows. Virtual threads; thread-safe. */
public final class RowExplanations {
  private static final Pattern FOR_SCHEMA =
      Pattern.compile("\\bFOR (SCHEMA|DATABASE)\\b", Pattern.CASE_INSENSITIVE);

  private static final Pattern ANALYZE = Pattern.compile("\\bANALYZE\\b", Pattern.CASE_INSENSITIVE);

  private final Router router;
  private final GmsService gms;
  private final CheckViewKeeper checks;
  private final StatementMeasure measure;

  /**
   * The explanations of one CN.
   *
   * @param measure runs what is to be measured
   */
  public RowExplanations(
      Router router, GmsService gms, CheckViewKeeper checks, StatementMeasure measure) {
    this.router = router;
    this.gms = gms;
    this.checks = checks;
    this.measure = measure;
  }

  /** Runs what is to be measured. */
  public StatementMeasure measure() {
    return measure;
  }

  /**
   * Answers.
   *
   * @param explain the statement, cut in two
   * @param asWritten the statement, with its options, over tables without rows
   * @return whether it has; else these tables know as much
   */
  public boolean answer(StatementRun run, Plan plan, ExplainedStatement explain, byte[] asWritten) {
    Session session = run.session();
    String prefix = explain.prefix();
    if (FOR_SCHEMA.matcher(prefix).find()) {
      return false;
    }
    boolean analyze = ExplainAnalyze.begins(prefix);
    if (analyze && !(plan instanceof Plan.Select)) {
      throw AlraiException.unsupported(
          "'EXPLAIN ANALYZE' of a statement that writes;"
              + " EXPLAIN shows its plan without running it");
    }
    if (!session.transaction().held().tableLocks().held()) {
      makeChecks(plan);
    }
    LogicalNames names = new LogicalNames(gms::catalog);
    List<DnId> dns = gms.catalog().dataNodes().stream().map(DataNode::id).toList();
    DnId any = session.temporary().none() ? dns.getFirst() : DnId.OF_SESSION;
    PhysicalSchema shadow =
        new PhysicalSchema(session.schema().isEmpty() ? "information_schema" : session.schema());
    Sample unplaced = new Sample(List.of(new ShardPlace(0, shadow, any)), place -> asWritten);
    StatementSteps steps = new StatementSteps(run, prefix, unplaced, router, names, dns);
    Step ofOnePlace = steps.of(plan);
    boolean measures = analyze && !ofOnePlace.atOnePlace();
    Step step =
        measures
            ? new StatementSteps(run, withoutRunning(prefix), unplaced, router, names, dns).of(plan)
            : ofOnePlace;
    RowAccess access =
        RowAccess.ofSelect(plan instanceof Plan.Select select && select.locking() && analyze);
    try {
      if (!step.atOnePlace() && !session.transaction().held().tableLocks().held()) {
        byte[] check = measures ? unrun(prefix, asWritten) : asWritten;
        Sample all = new Sample(unplaced.places(), place -> check);
        plan(run, all, RowAccess.NONE); // tells mistakes that no step's text has
      }
      run.shards().takeWarnings();
      List<Condition> told = new ArrayList<>();
      Optional<Measured> measured = Optional.empty();
      if (measures && plan instanceof Plan.Select select) {
        measured = Optional.of(measure.of(run, select, explain.statement(), step, names));
        told.addAll(session.last().diagnostics().conditions());
      }
      Explanation shown =
          new Explanation(
              names, SettingsCharset.ofResults(session.variables().settings()), measured);
      shown.add(step, sample -> plan(run, sample, access));
      told.addAll(shown.notes());
      for (Condition each : run.shards().takeWarnings()) {
        told.add(new Condition(each.level(), each.code(), names.text(each.message())));
      }
      ReplicaNote.of(session, plan, analyze).ifPresent(told::add);
      session.last().rowCount(-1);
      session.last().diagnostics(Diagnostics.ofWarnings(told));
      shown.writeTo(run.writer(), told.size(), run.statusFlags());
      return true;
    } catch (AlraiException e) {
      throw names.error(e);
    }
  }

  /** The views that check a write stand in its texts. */
  private void makeChecks(Plan plan) {
    switch (plan) {
      case Plan.Checked checked -> {
        checks.make(checked.views());
        makeChecks(checked.write());
      }
      case Plan.Raising raising -> makeChecks(raising.write());
      case Plan.Select _, Plan.Write _, Plan.KeyUpdate _, Plan.Insert _, Plan.InsertSelect _ -> {
        // none
      }
    }
  }

  /** The text without ANALYZE, where a mysqld would run it; it refuses other formats itself. */
  private static byte[] unrun(String prefix, byte[] asWritten) {
    String options = prefix.toUpperCase(Locale.ROOT);
    if (options.contains("FORMAT") && !options.contains("TREE")) {
      return asWritten;
    }
    byte[] explain = withoutRunning(prefix).getBytes(StandardCharsets.ISO_8859_1);
    byte[] text = Arrays.copyOf(explain, explain.length + asWritten.length - prefix.length());
    System.arraycopy(
        asWritten, prefix.length(), text, explain.length, asWritten.length - prefix.length());
    return text;
  }

  /** EXPLAIN with the same format, of what has run already. */
  private static String withoutRunning(String prefix) {
    String rest = ANALYZE.matcher(prefix).replaceFirst("").strip();
    return rest.toUpperCase(Locale.ROOT).contains("FORMAT") ? rest + " " : rest + " FORMAT=TREE ";
  }

  /** What the mysqld of a sample's first place says, for all of them. */
  private static MysqldPlan plan(StatementRun run, Sample sample, RowAccess access) {
    Charset charset = SettingsCharset.ofResults(run.session().variables().settings());
    ShardPlace place = sample.places().getFirst();
    try (ShardCall call =
        run.shards()
            .start(
                place.dn(), place.physicalSchema().name(), sample.explain().apply(place), access)) {
      List<ColumnDefinition> columns = call.columns();
      List<List<@Nullable String>> rows = new ArrayList<>();
      byte[] row;
      while ((row = call.nextRow()) != null) {
        rows.add(ShardQueries.texts(row, columns.size(), charset));
      }
      call.status();
      return new MysqldPlan(columns, rows);
    }
  }
}
