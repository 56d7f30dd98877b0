package io.alrai.cn.plan;

import io.alrai.cn.ccl.RuleBook;
import io.alrai.cn.privilege.PrivilegeCheck;
import io.alrai.cn.session.Session;
import io.alrai.cn.session.TemporaryTables;
import io.alrai.gms.api.Catalog;
import io.alrai.optimizer.api.Needs;
import io.alrai.optimizer.api.Planned;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.api.inspect.NullIds;
import io.alrai.optimizer.api.shape.ShapeScanner;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.api.shape.TextSlotValues;
import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.text.ParameterSource;
import io.alrai.optimizer.api.text.StatementKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Supplier;

/**
 * From statement bytes to a plan through the plan cache. One for each event loop; not thread-safe.
 */
public final class StatementPlanner {
  private final ShapeScanner scanner = new ShapeScanner();
  private final PlanCache cache = new PlanCache();

  /** Plans of the sessions that have tables of their own. */
  private final Map<TemporaryTables, PlanCache> ownCaches = new WeakHashMap<>();

  private final Planner planner;
  private final Supplier<Catalog> catalog;
  private final RuleBook rules;
  private byte[] sql = new byte[0];
  private int length;
  private List<int[]> statements = List.of();

  /** A planner for one event loop of a CN with these CCL rules. */
  public StatementPlanner(Planner planner, Supplier<Catalog> catalog, RuleBook rules) {
    this.planner = planner;
    this.catalog = catalog;
    this.rules = rules;
  }

  /**
   * Scans a text once.
   *
   * @param text in the session's character set, from 0 to count; not changed while it is planned
   * @return how many statements it holds; 0 for nothing but blanks and comments
   */
  public int scan(Session session, byte[] text, int count) {
    sql = text;
    length = count;
    LexicalMode mode = session.variables().lexicalMode();
    scanner.scan(text, 0, count, mode);
    if (!scanner.hasMore()) {
      return scanner.kind() == StatementKind.EMPTY ? 0 : 1;
    }
    List<int[]> found = new ArrayList<>();
    int from = 0;
    while (true) {
      if (scanner.kind() != StatementKind.EMPTY) {
        found.add(new int[] {from, from + scanner.length()});
      }
      if (!scanner.hasMore()) {
        break;
      }
      from += scanner.consumed();
      scanner.scan(text, from, count - from, mode);
    }
    statements = found;
    if (found.size() == 1) {
      scanner.scan(text, found.get(0)[0], found.get(0)[1] - found.get(0)[0], mode);
    }
    return found.size();
  }

  /** Where the statements of the scanned text start and end, when there are several. */
  public List<int[]> statements() {
    return List.copyOf(statements);
  }

  /** The scanned statement, until the next scan. */
  public ShapedStatement scanned() {
    return scanner;
  }

  /** The scanned statement, for later. */
  public ShapedText snapshot() {
    return scanner.snapshot();
  }

  /**
   * Plans the scanned text, which must be one statement. The first execution of a shape does the
   * tree work, later ones none. What it gives is valid until the next scan.
   *
   * @throws io.alrai.common.error.AlraiException MySQL's error for what is wrong with it, and for
   *     what the session's account may not do
   */
  public PlannedStatement plan(Session session) {
    if (nullsAreIds(session)) {
      return plan(session, scanner.snapshot(), ParameterSource.NONE);
    }
    Catalog now = catalog(session);
    PlanCache.Entry kept =
        cache(session).find(scanner, now.version(), session.schema(), sql, length);
    if (kept == null) {
      return plan(session, scanner.snapshot(), ParameterSource.NONE);
    }
    check(session, now, kept, scanner::snapshot);
    return new PlannedStatement(
        kept.planned,
        scanner,
        new TextSlotValues(
            scanner, sql, 0, session.variables().lexicalMode(), ParameterSource.NONE),
        kept.rules());
  }

  /**
   * Plans a statement that was scanned before; what it gives lasts.
   *
   * @param parameters values of its parameter markers
   */
  public PlannedStatement plan(Session session, ShapedText written, ParameterSource parameters) {
    Catalog now = catalog(session);
    ShapedText text = meant(session, now, written);
    PlanCache plans = cache(session);
    PlanCache.Entry kept = plans.find(text, now.version(), session.schema());
    if (kept == null) {
      Needs needs = session.user().access(now).everything() ? null : authorize(session, now, text);
      Planned planned = planner.plan(text, context(now, session.schema(), text.mode()));
      kept = new PlanCache.Entry(text, session.schema(), planned, needs);
      // by the catalog of all: that of a session with temporary tables has versions of its own
      kept.rules(
          rules.of(
              catalog.get(),
              planned.work(),
              text,
              session.schema(),
              () -> needs(session, now, text)));
      plans.keep(kept, now.version());
    } else {
      check(session, now, kept, () -> text);
    }
    return new PlannedStatement(
        kept.planned, text, new TextSlotValues(text, parameters), kept.rules());
  }

  private static boolean nullsAreIds(Session session) {
    return session.own().nullsAreIds() && session.last().lastInsertId() != 0;
  }

  /** What a session means by a text: another one by {@code sql_auto_is_null} only. */
  public static ShapedText meant(Session session, Catalog now, ShapedText text) {
    return nullsAreIds(session)
        ? NullIds.meant(text, context(now, session.schema(), text.mode()))
            .map(text::withShape)
            .orElse(text)
        : text;
  }

  /** The version of the catalog that a session's statements are planned by: plans are for one. */
  public long catalogVersion(Session session) {
    return catalog(session).version();
  }

  private Catalog catalog(Session session) {
    return session.temporary().over(catalog.get());
  }

  private PlanCache cache(Session session) {
    TemporaryTables own = session.temporary();
    return own.none() ? cache : ownCaches.computeIfAbsent(own, tables -> new PlanCache());
  }

  /** The privileges of all others are compared with what the statement needs. */
  private void check(
      Session session, Catalog now, PlanCache.Entry kept, Supplier<ShapedText> text) {
    if (!session.user().access(now).everything()) {
      PrivilegeCheck.check(kept.needs(() -> needs(session, now, text.get())), session, now);
    }
  }

  /**
   * What a statement needs of the account that sends it; whether that has it is not asked. Any
   * thread that has the session.
   */
  public Needs needs(Session session, ShapedText text) {
    return needs(session, catalog(session), text);
  }

  private Needs needs(Session session, Catalog now, ShapedText text) {
    Needs needs = planner.needs(text, context(now, session.schema(), text.mode()));
    return HintedVariables.add(needs, text.shape());
  }

  /**
   * Checks a statement that is prepared: what is wrong with it is reported by others.
   *
   * @throws io.alrai.common.error.AlraiException for what the session's account may not do
   */
  public void authorize(Session session, ShapedText text) {
    Catalog now = catalog(session);
    if (!session.user().access(now).everything()) {
      authorize(session, now, text);
    }
  }

  private Needs authorize(Session session, Catalog now, ShapedText text) {
    Needs needs = needs(session, now, text);
    PrivilegeCheck.check(needs, session, now);
    return needs;
  }

  /**
   * What names and quotes mean in a text.
   *
   * @param schema the current one; empty for none
   */
  public static Planner.Context context(Catalog catalog, String schema, LexicalMode mode) {
    return new Planner.Context(catalog, schema, mode.ansiQuotes(), mode.noBackslashEscapes());
  }
}
