package io.alrai.cn.ddl.step;

import io.alrai.cn.ddl.job.DdlOutcome;
import io.alrai.cn.ddl.job.DdlSession;
import io.alrai.cn.ddl.job.DdlSteps;
import io.alrai.cn.ddl.job.JobRun;
import io.alrai.cn.ddl.job.NameRules;
import io.alrai.cn.ddl.job.Place;
import io.alrai.cn.ddl.job.SqlWarning;
import io.alrai.cn.ddl.rule.DefinerAccounts;
import io.alrai.cn.ddl.rule.InterpretedBody;
import io.alrai.cn.ddl.rule.RoutineTexts;
import io.alrai.cn.ddl.rule.TriggerRules;
import io.alrai.common.sql.Sql;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DdlJob.Target;
import io.alrai.gms.api.Procedure;
import io.alrai.gms.api.RoutineKind;
import io.alrai.gms.api.StoredFunction;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.RoutineChange;
import io.alrai.optimizer.api.TriggerBody;
import io.alrai.optimizer.api.TriggerBody.Meaning;
import io.alrai.optimizer.api.inspect.BodyTables;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.token.FunctionCalls;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * CREATE FUNCTION:
 *
 * <ol>
 *   <li>if mysqlds run it, its definer becomes a locked account of each, so that they can do that
 *       in its name;
 *   <li>the shadow on the first DN, where the mysqld says what is wrong with the text;
 *   <li>the other shadows;
 *   <li>the catalog: from here on plans lead calls to the shadows, which are wherever rows are, or
 *       CNs interpret it.
 * </ol>
 *
 * Rolled back by dropping it from the shadows.
 */
final class CreateFunctionSteps implements DdlSteps {
  private static final String BEGUN = "begun";

  /** Stands for the client's account among what a function calls. */
  static final String CURRENT_USER = "current_user";

  private static final String RESULT = "__alrai_result";

  /** MySQL's note on a name that one of its own functions has, or a keyword. */
  private static final int ER_NATIVE_FCT_NAME_COLLISION = 1585;

  private final RoutineChange.CreateFunction create;
  private final DdlSession session;
  private final String schema;
  private final String name;
  private final Optional<TriggerBody> local;

  CreateFunctionSteps(
      DdlStatement.OnRoutine statement, RoutineChange.CreateFunction create, DdlSession session) {
    this.create = create;
    this.session = session;
    this.schema = NameRules.schemaOf(statement.name(), session);
    this.name = statement.name().table();
    this.local = create.local().filter(body -> BodyTables.of(body).names().isEmpty());
  }

  private static Set<String> calls(TriggerBody body) {
    Set<String> calls = new HashSet<>(body.callees());
    if (body.known().stream().anyMatch(known -> known.meaning() == Meaning.DEFINER)) {
      calls.add(CURRENT_USER);
    }
    return calls;
  }

  @Override
  public String kind() {
    return "CREATE_FUNCTION";
  }

  @Override
  public Set<Target> targets() {
    return Set.of(RoutineTexts.target(RoutineKind.FUNCTION, schema, name));
  }

  @Override
  public Optional<DdlOutcome> check(Catalog catalog) {
    NameRules.existingSchema(catalog, schema);
    return Optional.empty();
  }

  @Override
  public DdlOutcome forward(JobRun run) {
    Place first = shadow(run.firstShadow(schema));
    Catalog catalog = run.gms().catalog();
    if (!run.has(BEGUN) && catalog.function(schema, name).isPresent()) {
      List<SqlWarning> notes = RoutineTexts.withoutDefiner(run.execute(first, sql()).warnings());
      run.finish(List.of());
      return DdlOutcome.with(notes);
    }
    if (run.has(BEGUN)) {
      back(run);
    } else {
      run.note(BEGUN, "yes");
    }
    StoredFunction function = function(catalog);
    if (function.interpreted().isEmpty()) {
      run.at(
          Place.shadows(schema, run.dns()),
          place -> DefinerAccounts.make(run, place.dn(), definer()));
    }
    requireOwnName(run.executeAsAdmin(first, sql()));
    function.interpreted().ifPresent(program -> InterpretedBody.check(program, session));
    run.at(run.otherShadows(schema), place -> run.executeAsAdmin(shadow(place), sql()));
    String owner = RoutineTexts.owner(run, RoutineKind.FUNCTION, schema, name);
    run.finish(List.of(new CatalogCommand.PutFunction(function, owner)));
    return DdlOutcome.with(RoutineTexts.notes(catalog, definer()));
  }

  private void requireOwnName(List<SqlWarning> warnings) {
    if (warnings.stream().anyMatch(note -> note.errno() == ER_NATIVE_FCT_NAME_COLLISION)) {
      throw TriggerRules.refused(
          "a stored function named " + name,
          ": MySQL has a function or a keyword of this name; choose another one");
    }
  }

  private Place shadow(Place place) {
    return new Place(place.dn(), session.currentSchema());
  }

  private String definer() {
    return RoutineTexts.definer(create.definer(), session);
  }

  private Sql sql() {
    return RoutineTexts.create(definer(), create.text());
  }

  /** What the catalog is to know: a CN runs what no server can that has only the parameters. */
  private StoredFunction function(Catalog catalog) {
    if (local.isPresent()) {
      StoredFunction function = function(local.get().varying(), calls(local.get()), List.of());
      boolean account = create.ofInvoker() && function.calls().contains(CURRENT_USER);
      boolean alone =
          !account
              && FunctionCalls.called(catalog, function).stream()
                  .allMatch(each -> each.interpreted().isEmpty());
      if (alone) {
        return function;
      }
    }
    InterpretedBody body = new InterpretedBody(create.body(), session);
    return function(body.varying(), body.calls(), List.of(program(catalog)));
  }

  private StoredFunction function(String varying, Set<String> calls, List<Procedure> program) {
    return new StoredFunction(schema, name, definer(), create.ofInvoker(), varying, calls, program);
  }

  /** With its result as the last parameter. */
  private Procedure program(Catalog catalog) {
    String result = "OUT " + Identifier.quote(RESULT) + " " + create.returns();
    return new Procedure(
        schema,
        name,
        create.parameters().isBlank() ? result : create.parameters() + ", " + result,
        create.body(),
        definer(),
        create.ofInvoker(),
        InterpretedBody.settings(session),
        NameRules.existingSchema(catalog, schema).collation());
  }

  @Override
  public void back(JobRun run) {
    if (run.has(BEGUN)) {
      run.at(
          Place.shadows(schema, run.dns()),
          place -> RoutineTexts.drop(run, RoutineKind.FUNCTION, place, name));
    }
  }
}
