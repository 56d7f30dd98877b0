package io.alrai.optimizer.api.planner;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.executor.fragment.CheckView;
import io.alrai.executor.fragment.Plan;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.gms.api.StoredFunction;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.AnalyticalPlanner;
import io.alrai.optimizer.api.AsciiCollations;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.ExplainAnalyze;
import io.alrai.optimizer.api.Needs;
import io.alrai.optimizer.api.Planned;
import io.alrai.optimizer.api.Planned.Verb;
import io.alrai.optimizer.api.Planned.Work;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.api.routine.InterpretedCalls;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.api.sql.SqlBuilder;
import io.alrai.optimizer.api.stats.StatisticsSource;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.api.text.SyntaxError;
import io.alrai.optimizer.api.text.SyntaxException;
import io.alrai.optimizer.api.token.FunctionCalls;
import io.alrai.optimizer.api.token.TokenCursor;
import io.alrai.optimizer.bind.Analysis;
import io.alrai.optimizer.lower.FragmentPlanner;
import io.alrai.optimizer.parse.AdminParser;
import io.alrai.optimizer.parse.ExplainText;
import io.alrai.optimizer.parse.ddl.DdlParser;
import io.alrai.optimizer.privilege.StatementNeeds;
import io.alrai.optimizer.route.Planning;
import io.alrai.optimizer.route.StoredCalls;
import io.alrai.optimizer.route.insert.InsertPlanner;
import io.alrai.optimizer.route.insert.InsertSelectPlanner;
import io.alrai.optimizer.route.select.SelectPlanner;
import io.alrai.optimizer.route.write.WritePlanner;
import io.alrai.optimizer.shardsql.SessionMentions;
import io.alrai.optimizer.syntax.Statement;
import io.alrai.optimizer.syntax.StatementParser;
import io.alrai.optimizer.view.FunctionDefiners;
import io.alrai.optimizer.view.ReshapedStatement;
import io.alrai.optimizer.view.ReshapedStatement.CheckedTarget;
import java.util.List;
import java.util.Optional;

/** The planner: hands each statement to the planner of its kind. */
public final class AlraiPlanner implements Planner {
  private final AsciiCollations collations;

  /** A planner. */
  public AlraiPlanner(AsciiCollations collations) {
    this.collations = collations;
  }

  /** A planner of SELECTs over column indexes, with what is known of their tables. */
  public static AnalyticalPlanner analytical(StatisticsSource statistics) {
    return new FragmentPlanner(statistics);
  }

  @Override
  public Planned plan(ShapedStatement statement, Context context) {
    return withCalls(statement, context)
        .within(
            ExecutionTime.of(
                statement.shape(), context.ansiQuotes(), context.noBackslashEscapes()));
  }

  private Planned withCalls(ShapedStatement statement, Context context) {
    List<FunctionCalls.Call> calls = calls(statement, context);
    for (FunctionCalls.Call call : calls) {
      FunctionDefiners.require(context.catalog(), call.function());
    }
    Optional<StoredFunction> interpreted = StoredCalls.interpreted(calls, context.catalog());
    if (interpreted.isEmpty()) {
      return planned(statement, context);
    }
    if (!InterpretedCalls.of(statement.shape(), context).isEmpty()) {
      return new Planned(new Work.Administrative(new AdminStatement.WithCalls()), false);
    }
    Planned planned = planned(statement, context);
    StoredCalls.requireQuery(interpreted.get(), planned.work());
    return planned;
  }

  private Planned planned(ShapedStatement statement, Context context) {
    Optional<AdminStatement.Parsed> administrative = AdminParser.parse(statement, context);
    if (administrative.isPresent()) {
      boolean exact =
          statement.slotCount() > 0
              && !(administrative.get() instanceof AdminStatement.FromShadow)
              && !(administrative.get() instanceof AdminStatement.Call);
      return new Planned(new Work.Administrative(administrative.get()), exact);
    }
    if (AdminParser.isOverData(statement, context)) {
      return data(statement, context);
    }
    Optional<ExplainText> explain = ExplainText.of(statement, context);
    if (explain.isPresent()) {
      return explain(explain.get(), context);
    }
    Optional<DdlStatement> ddl = ddl(statement, context);
    return ddl.isPresent()
        ? new Planned(new Work.Administrative(new AdminStatement.Ddl(ddl.get())), true)
        : data(statement, context);
  }

  /** Of stored functions, but for those in what DDL defines: they are called later. */
  private static List<FunctionCalls.Call> calls(ShapedStatement statement, Context context) {
    if (!context.catalog().hasFunctions()) {
      return List.of();
    }
    Optional<TokenCursor> tokens = running(statement, context);
    tokens.ifPresent(each -> FunctionCalls.requireSchema(each, context));
    return tokens.map(each -> FunctionCalls.in(each, context)).orElse(List.of());
  }

  /** Empty for what defines a body that runs later. */
  private static Optional<TokenCursor> running(ShapedStatement statement, Context context) {
    TokenCursor tokens =
        new TokenCursor(statement.shape(), context.ansiQuotes(), context.noBackslashEscapes());
    return AdminParser.isDefinition(tokens) ? Optional.empty() : Optional.of(tokens);
  }

  @Override
  public Needs needs(ShapedStatement statement, Context context) {
    Needs all = needsOf(statement, context);
    List<FunctionCalls.Call> calls = calls(statement, context);
    List<TableName> ofServer =
        running(statement, context).map(FunctionCalls::ofServer).orElse(List.of());
    return calls.isEmpty() && ofServer.isEmpty()
        ? all
        : StatementNeeds.calling(all, calls, ofServer, context);
  }

  private Needs needsOf(ShapedStatement statement, Context context) {
    Optional<AdminStatement.Parsed> administrative = AdminParser.parse(statement, context);
    if (administrative.isPresent()) {
      return administrative.get() instanceof AdminStatement.ExplainSharding explain
          ? needs(
              ShapedText.of(explain.sql(), context.ansiQuotes(), context.noBackslashEscapes()),
              context)
          : StatementNeeds.of(administrative.get(), statement, context);
    }
    if (AdminParser.isOverData(statement, context)) {
      return dataNeeds(statement, context);
    }
    Optional<ExplainText> explain = ExplainText.of(statement, context);
    if (explain.isPresent()) {
      ShapedStatement inner = explain.get().statement();
      return StatementNeeds.explained(needs(inner, context), inner, context);
    }
    Optional<DdlStatement> ddl = ddl(statement, context);
    return ddl.isPresent() ? StatementNeeds.of(ddl.get(), context) : dataNeeds(statement, context);
  }

  private static Optional<DdlStatement> ddl(ShapedStatement statement, Context context) {
    return DdlParser.parse(statement.text(), context.ansiQuotes(), context.noBackslashEscapes());
  }

  private static Needs dataNeeds(ShapedStatement statement, Context context) {
    try {
      return StatementNeeds.ofData(DoExpressions.asQuery(statement).orElse(statement), context);
    } catch (SyntaxException e) {
      throw syntaxError(statement, context);
    }
  }

  private Planned explain(ExplainText explain, Context context) {
    Planned inner = planned(explain.statement(), context);
    Work work =
        switch (inner.work()) {
          case Work.Administrative administrative -> explained(explain, administrative);
          case Work.Data data -> data;
        };
    if (!(work instanceof Work.Data data)) {
      return new Planned(work, inner.exactTextOnly());
    }
    // the shadows have the client's names
    SqlBuilder sql =
        new SqlBuilder().text(explain.prefix()).template(asSent(explain.statement(), context));
    AdminStatement statement = new AdminStatement.ExplainOnShard(data, sql.build(), explain.into());
    return new Planned(new Work.Administrative(statement), inner.exactTextOnly());
  }

  /** What a statement's EXPLAIN is about. */
  private static Work explained(ExplainText explain, Work.Administrative work) {
    return switch (work.statement()) {
      case AdminStatement.SelectInto into -> new Work.Data(Verb.SELECT, into.query());
      case AdminStatement.AssigningSelect assigning -> {
        refuseRun(explain, "assigns variables");
        yield new Work.Data(Verb.SELECT, assigning.query());
      }
      case AdminStatement.NamedLocks locks -> {
        refuseRun(explain, "takes or releases named locks");
        yield explainOfShadow(explain, work, locks.sql());
      }
      case AdminStatement.FromShadow query -> explainOfShadow(explain, work, query.sql());
      case AdminStatement.OnLoop _,
          AdminStatement.ByName _,
          AdminStatement.OnSession _,
          AdminStatement.Setting _,
          AdminStatement.Locking _,
          AdminStatement.Report _,
          AdminStatement.Change _,
          AdminStatement.ExplainOnShard _ ->
          work;
    };
  }

  /** Whoever runs it has to keep what it does for the session. */
  private static void refuseRun(ExplainText explain, String does) {
    if (ExplainAnalyze.begins(explain.prefix())) {
      throw Planning.unsupported(
          "EXPLAIN ANALYZE of a SELECT that "
              + does
              + "; EXPLAIN shows its plan without running it");
    }
  }

  private static Work explainOfShadow(ExplainText explain, Work work, SqlTemplate query) {
    SqlTemplate sql = new SqlBuilder().text(explain.prefix()).template(query).build();
    return new Work.Administrative(
        explain.into().isPresent()
            ? new AdminStatement.ExplainOnShard(work, sql, explain.into())
            : new AdminStatement.FromShadow(sql));
  }

  private SqlTemplate asSent(ShapedStatement statement, Context context) {
    Planning planning = Planning.of(statement, context, collations);
    return planning.edits().of(new Span(0, planning.text().text().length()));
  }

  private Planned data(ShapedStatement statement, Context context) {
    try {
      Optional<ShapedStatement> evaluated = DoExpressions.asQuery(statement);
      Planning planning = Planning.of(evaluated.orElse(statement), context, collations);
      if (evaluated.isPresent()) {
        DoExpressions.check(planning, statement, context);
      }
      Work work = data(planning, evaluated.isEmpty());
      return new Planned(work, planning.literals().looked(), WrittenTables.traits(planning));
    } catch (SyntaxException e) {
      throw syntaxError(statement, context);
    }
  }

  private static Work data(Planning planning, boolean hasRows) {
    if (!(planning.tree() instanceof Statement.Select)) {
      refuseAssignment(planning);
    }
    return switch (planning.tree()) {
      case Statement.Select select -> selection(planning, select, hasRows);
      case Statement.Update update ->
          new Work.Data(Verb.UPDATE, checked(planning, new WritePlanner(planning).update(update)));
      case Statement.Delete delete ->
          new Work.Data(Verb.DELETE, checked(planning, new WritePlanner(planning).delete(delete)));
      case Statement.InsertQuery insert ->
          new Work.Data(
              insert.replace() ? Verb.REPLACE : Verb.INSERT,
              checked(
                  planning,
                  Plan.Raising.of(
                      new InsertSelectPlanner(planning).plan(insert),
                      InsertPlanner.raised(planning.statement(), planning.context()))));
      case Statement.InsertValues values -> values(planning);
    };
  }

  /** The plan with the views that check what it writes. */
  private static Plan checked(Planning planning, Plan plan) {
    List<CheckView> views =
        ReshapedStatement.checkedIn(planning.statement()).stream()
            .map(CheckedTarget::view)
            .distinct()
            .toList();
    return Plan.Checked.of(plan, views);
  }

  private static Work selection(Planning planning, Statement.Select select, boolean hasRows) {
    Optional<Span> into = select.query().into();
    List<String> assigned = SessionMentions.assigned(planning.text());
    boolean id = SessionMentions.setsLastInsertId(planning.text());
    if (into.isPresent()) {
      refuseAssignment(planning);
      return selectInto(planning, into.get());
    }
    if (assigned.isEmpty() && !id) {
      Optional<AdminStatement.NamedLocks> locks =
          NamedLockPlanner.plan(planning, select, List.of(), hasRows);
      if (locks.isPresent()) {
        return new Work.Administrative(locks.get());
      }
    }
    Plan.Select plan = select(planning, select);
    return assigned.isEmpty() && !id && hasRows
        ? new Work.Data(Verb.SELECT, plan)
        : new Work.Administrative(new AdminStatement.AssigningSelect(assigned, id, plan, hasRows));
  }

  private static void refuseAssignment(Planning planning) {
    if (!SessionMentions.assigned(planning.text()).isEmpty()) {
      throw Planning.unsupported(
          "':=' in a statement that is no plain SELECT; use SET @name = (SELECT ...)");
    }
  }

  private static Work selectInto(Planning planning, Span into) {
    List<String> variables = IntoVariables.names(planning, into);
    Planning query = IntoVariables.without(planning, into);
    if (query.tree() instanceof Statement.Select select && select.query().into().isEmpty()) {
      Optional<AdminStatement.NamedLocks> locks =
          NamedLockPlanner.plan(query, select, variables, false);
      if (locks.isPresent()) {
        return new Work.Administrative(locks.get());
      }
      return new Work.Administrative(
          new AdminStatement.SelectInto(
              variables, select(query, select), SessionMentions.setsLastInsertId(query.text())));
    }
    throw Planning.unsupported("several INTO clauses in one query");
  }

  private static Work values(Planning planning) {
    boolean replace = planning.text().firstWord().equals("REPLACE");
    Optional<Plan> insert = InsertPlanner.plan(planning.statement(), planning.context());
    if (insert.isPresent()) {
      return new Work.Data(replace ? Verb.REPLACE : Verb.INSERT, insert.get());
    }
    planning.literals().depend();
    ShapedStatement query = InsertPlanner.asQuery(planning.statement(), planning.context());
    return data(Planning.of(query, planning.context(), planning.collations()), true);
  }

  private static Plan.Select select(Planning planning, Statement.Select select) {
    Analysis analysis = planning.newAnalysis();
    analysis.query(select.query());
    return new SelectPlanner(planning, analysis).plan(select.query());
  }

  /** MySQL's sentence, with the place where the text as sent stops to make sense. */
  private static AlraiException syntaxError(ShapedStatement statement, Context context) {
    String text = statement.text();
    int position = text.length();
    try {
      StatementParser.parse(text, context.ansiQuotes(), context.noBackslashEscapes());
    } catch (SyntaxException e) {
      position = e.position();
      if (!e.variable().isEmpty()) {
        return new AlraiException(
            ErrorCode.ER_SP_UNDECLARED_VAR, "Undeclared variable: " + e.variable());
      }
    }
    return SyntaxError.at(text, position);
  }
}
