package io.alrai.optimizer.api;

import io.alrai.gms.api.Access;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a statement needs of the account that sends it, in the order in which MySQL asks. Found once
 * for a shape, checked for each execution. Immutable, any thread.
 */
public final class Needs {
  /** The needs of a statement that everybody may send. */
  public static final Needs NONE = new Needs(List.of());

  private static final long NOT_GLOBAL = 1L << 63;

  private final List<Need> all;
  private final List<Need> columns;
  private final List<Need> byColumn;
  private final long global;

  /** These needs, none of them for columns. */
  public Needs(List<Need> all) {
    this(all, List.of());
  }

  /**
   * These needs.
   *
   * @param all as of an account that has no privileges for columns: where a column needs more than
   *     its table did, the first
   * @param columns all columns
   */
  public Needs(List<Need> all, List<Need> columns) {
    this.all = List.copyOf(all);
    this.columns = List.copyOf(columns);
    this.byColumn =
        Stream.concat(
                all.stream().filter(need -> !(need instanceof Need.OnColumn)), columns.stream())
            .toList();
    this.global = all.stream().mapToLong(Needs::bits).reduce(0, (a, b) -> a | b);
  }

  /** These and more, none of them for columns. */
  public Needs and(List<Need> more) {
    return new Needs(Stream.concat(all.stream(), more.stream()).toList(), columns);
  }

  private static long bits(Need need) {
    return switch (need) {
      case Need.OnTable table -> table.privileges();
      case Need.OnColumn column -> column.anyOf();
      case Need.InView view -> view.privileges();
      case Need.OnSchema schema -> schema.privileges();
      case Need.OnColumns columns -> columns.anyOf();
      case Need.AnyOnTable _,
          Need.ParentTable _,
          Need.LockingRead _,
          Need.UsesSchema _,
          Need.Global _,
          Need.Explained _,
          Need.CalledInView _,
          Need.ShownTrigger _,
          Need.OnRoutine _,
          Need.ShownRoutine _,
          Need.OfDefiner _,
          Need.AsDefiner _,
          Need.Unasked _ ->
          NOT_GLOBAL;
    };
  }

  /** Whether a session may send the statement that must change its password first. */
  public boolean changesAccounts() {
    return all.size() == 1 && all.getFirst() instanceof Need.Unasked;
  }

  /** One by one, for an account that has no privileges for columns. */
  public List<Need> all() {
    return all;
  }

  /** The needs column by column, for an account that has some of them. */
  public List<Need> byColumn() {
    return byColumn;
  }

  /** Those of {@link #byColumn} that are for columns. */
  public List<Need> columns() {
    return columns;
  }

  /** Whether global privileges alone are known to be enough: then nothing else need be asked. */
  public boolean coveredBy(Access access) {
    return (global & ~access.global()) == 0;
  }
}
