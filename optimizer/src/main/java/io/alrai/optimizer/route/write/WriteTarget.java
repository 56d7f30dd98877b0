package io.alrai.optimizer.route.write;

import io.alrai.optimizer.bind.Relation;
import io.alrai.optimizer.route.AssignedValues;
import io.alrai.optimizer.syntax.Identifier;
import java.util.Optional;

/**
 * A table that a statement writes.
 *
 * @param values what an UPDATE assigns to it
 * @param moves whether these decide in which place a row is
 */
record WriteTarget(Relation.Base base, Optional<AssignedValues> values, boolean moves) {
  /** A column of it, as SQL. */
  String qualified(String column) {
    return Identifier.quote(base.visibleName()) + "." + Identifier.quote(column);
  }
}
