package io.alrai.optimizer.route.write;

import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.bind.Relation;
import io.alrai.optimizer.route.AssignedValues;
import java.util.Optional;

/**
 * A table that a statement writes.
 *
 * @param forcedAlias tells it from another table of its name
 * @param values what an UPDATE assigns to it
 * @param moves whether these decide in which place a row is
 */
record WriteTarget(
    Relation.Base base,
    Optional<String> forcedAlias,
    Optional<AssignedValues> values,
    boolean moves) {
  /** The name that texts have for it. */
  String name() {
    return forcedAlias.orElseGet(base::visibleName);
  }

  /** A column of it, as SQL. */
  String qualified(String column) {
    return Identifier.quote(name()) + "." + Identifier.quote(column);
  }
}
