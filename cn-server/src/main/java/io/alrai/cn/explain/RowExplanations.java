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
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
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

  /** The explanations of one CN. */
  public RowExplanations(Router router, GmsService gms, CheckViewKeeper checks) {
    this.router = router;
    this.gms = gms;
    this.checks = checks;
  }

  /**
   * Answers.
   *
   * @param prefix EXPLAIN and its options
   * @param asWritten the statement, with them, over tables without rows
   * @return whether it has; else these tables know as much
   */
  public boolean answer(StatementRun run, Plan plan, String prefix, byte[] asWritten) {
    Session session = run.session();
    if (FOR_SCHEMA.matcher(prefix).find()) {
      return false;
    }
    boolean analyze = ANALYZE.matcher(prefix).find();
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
    Step step = new StatementSteps(run, prefix, unplaced, router, names, dns).of(plan);
    RowAccess access =
        RowAccess.ofSelect(plan instanceof Plan.Select select && select.locking() && analyze);
    try {
      if (!step.atOnePlace() && !session.transaction().held().tableLocks().held()) {
        plans(run, unplaced, RowAccess.NONE, false); // tells mistakes that no step's text has
      }
      run.shards().takeWarnings();
      Explanation shown =
          new Explanation(names, SettingsCharset.ofResults(session.variables().settings()));
      shown.add(step, sample -> plans(run, sample, access, analyze));
      List<Condition> told = new ArrayList<>(shown.notes());
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

  /** What mysqlds say of a sample: one for all, or each for itself where they run it. */
  private static List<MysqldPlan> plans(
      StatementRun run, Sample sample, RowAccess access, boolean all) {
    Charset charset = SettingsCharset.ofResults(run.session().variables().settings());
    List<MysqldPlan> plans = new ArrayList<>();
    for (ShardPlace place : all ? sample.places() : sample.places().subList(0, 1)) {
      try (ShardCall call =
          run.shards()
              .start(
                  place.dn(),
                  place.physicalSchema().name(),
                  sample.explain().apply(place),
                  access)) {
        List<ColumnDefinition> columns = call.columns();
        List<List<@Nullable String>> rows = new ArrayList<>();
        byte[] row;
        while ((row = call.nextRow()) != null) {
          rows.add(ShardQueries.texts(row, columns.size(), charset));
        }
        call.status();
        plans.add(new MysqldPlan(place, columns, rows));
      }
    }
    return plans;
  }
}
