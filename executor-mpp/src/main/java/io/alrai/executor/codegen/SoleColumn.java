package io.alrai.executor.codegen;

import io.alrai.executor.fragment.Scalar;
import io.alrai.executor.fragment.ValueKind;
import java.util.List;

/** Finds the one string column that a condition depends on. */
final class SoleColumn {
  private static final int NONE = -1;
  private static final int SEVERAL = -2;

  private SoleColumn() {}

  /** Its index; below 0 where there is none or where other columns matter too. */
  static int of(Scalar scalar) {
    return switch (scalar) {
      case Scalar.Column column ->
          column.type().kind() == ValueKind.STRING ? column.index() : SEVERAL;
      case Scalar.Literal literal -> NONE;
      case Scalar.Parameter parameter -> SEVERAL;
      case Scalar.SubqueryValue value -> SEVERAL;
      case Scalar.Call call -> of(call.arguments());
      case Scalar.Case choice -> {
        int found = choice.otherwise().map(SoleColumn::of).orElse(NONE);
        for (Scalar.Branch branch : choice.branches()) {
          found = both(found, both(of(branch.condition()), of(branch.value())));
        }
        yield found;
      }
      case Scalar.Cast cast -> of(cast.argument());
      case Scalar.InList in -> both(of(in.argument()), of(in.values()));
      case Scalar.Like like -> both(of(like.argument()), of(like.pattern()));
      case Scalar.Extract extract -> of(extract.argument());
      case Scalar.DateAdd add -> both(of(add.argument()), of(add.amount()));
    };
  }

  private static int of(List<Scalar> scalars) {
    int found = NONE;
    for (Scalar scalar : scalars) {
      found = both(found, of(scalar));
    }
    return found;
  }

  private static int both(int one, int other) {
    if (one == NONE || one == other) {
      return other;
    }
    return other == NONE ? one : SEVERAL;
  }
}
