package io.alrai.optimizer.api;

import io.alrai.gms.api.Access;
import java.util.List;

/**
 * What a statement needs of the account that sends it, in the order in which MySQL asks. Found once
 * for a shape, checked for each execution. Immutable, any thread.
 */
public final class Needs {
  /** Of a statement that everybody may send. */
  public static final Needs NONE = new Needs(List.of());

  private static final long NOT_GLOBAL = 1L << 63;

  private final List<Need> all;
  private final long global;

  /** These needs. */
  public Needs(List<Need> all) {
    this.all = List.copyOf(all);
    this.global = all.stream().mapToLong(Needs::bits).reduce(0, (a, b) -> a | b);
  }

  private static long bits(Need need) {
    return switch (need) {
      case Need.OnTable table -> table.privileges();
      case Need.OnColumn column -> column.privilege();
      case Need.InView view -> view.privileges();
      case Need.OnSchema schema -> schema.privileges();
      case Need.AnyOnTable _,
          Need.ParentTable _,
          Need.LockingRead _,
          Need.UsesSchema _,
          Need.Global _,
          Need.Explained _,
          Need.OfDefiner _,
          Need.AsDefiner _ ->
          NOT_GLOBAL;
    };
  }

  /** One by one. */
  public List<Need> all() {
    return all;
  }

  /** Whether global privileges alone are known to be enough: then nothing else need be asked. */
  public boolean coveredBy(Access access) {
    return (global & ~access.global()) == 0;
  }
}
