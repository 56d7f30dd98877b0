package io.alrai.optimizer.route;

import io.alrai.common.id.PhysicalSchema;
import io.alrai.executor.fragment.ShardPlace;
import io.alrai.executor.fragment.SqlTemplate.Piece;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.shardsql.TableNaming;
import java.util.Optional;

/** Tables that are whole on one DN, some of them in other physical schemas than the place's. */
public record OnePlaceNaming(Placements placements, ShardPlace place) implements TableNaming {
  @Override
  public Optional<Piece> schema(Table table, boolean qualified) {
    if (Placements.isBroadcast(table)) {
      return Optional.of(TableNaming.broadcastSchema(placements.catalog(), table));
    }
    PhysicalSchema physical = placements.places(table).getFirst().physicalSchema();
    if (!physical.equals(place.physicalSchema())) {
      return Optional.of(new Piece.Text(physical.quoted()));
    }
    return qualified ? Optional.of(new Piece.PlaceSchema()) : Optional.empty();
  }
}
