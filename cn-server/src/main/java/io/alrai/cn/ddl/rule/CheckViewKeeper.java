package io.alrai.cn.ddl.rule;

import io.alrai.cn.ddl.job.DdlShards;
import io.alrai.cn.ddl.job.SqlText;
import io.alrai.common.error.AlraiException;
import io.alrai.common.sql.Sql;
import io.alrai.executor.fragment.CheckView;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.PartitionGroup;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The views beside tables that check what is written through the clients' views WITH CHECK OPTION:
 * made when a statement needs them first. Safe for several threads.
 */
public final class CheckViewKeeper {
  private final DdlShards shards;
  private final Supplier<Catalog> catalog;
  private volatile Known known = new Known(-1, Set.of());

  /** Those that are there at a version of the catalog: a later DROP VIEW takes some away. */
  private record Known(long version, Set<At> there) {}

  private record At(PartitionGroup place, String name) {}

  /** None is known to be there. */
  public CheckViewKeeper(DdlShards shards, Supplier<Catalog> catalog) {
    this.shards = shards;
    this.catalog = catalog;
  }

  /**
   * Makes those that are not there yet; may wait for the DNs.
   *
   * @throws AlraiException the mysqld's error, or ALRAI_NODE_UNAVAILABLE
   */
  public void make(List<CheckView> views) {
    Catalog current = catalog.get();
    Known now = known;
    if (now.version() != current.version()) {
      now = new Known(current.version(), ConcurrentHashMap.newKeySet());
      known = now;
    }
    for (CheckView view : views) {
      for (PartitionGroup place : places(current, view)) {
        At at = new At(place, view.name());
        if (!now.there().contains(at)) {
          make(view, place);
          now.there().add(at);
        }
      }
    }
  }

  /** Empty for a table that has been dropped meanwhile: the statement will find out. */
  private static List<PartitionGroup> places(Catalog catalog, CheckView view) {
    return catalog.table(view.tableSchema(), view.table()).map(catalog::places).orElse(List.of());
  }

  private void make(CheckView view, PartitionGroup place) {
    Sql ofPlace = Sql.of(" AND TABLE_SCHEMA = ").string(place.physicalSchema().name());
    if (!shards.query(place.dn(), named(view.name()).add(ofPlace)).isEmpty()) {
      return;
    }
    Sql columns =
        Sql.join(
            ", ",
            view.columns().stream().map(column -> Sql.EMPTY.name(view.table(), column)).toList());
    shards.execute(
        place.dn(),
        "",
        Map.of(
            "character_set_client", SqlText.word(view.charset()),
            "collation_connection", SqlText.word(view.collation())),
        Sql.of("CREATE OR REPLACE ALGORITHM = MERGE SQL SECURITY INVOKER VIEW ")
            .name(place.physicalSchema().name(), view.name())
            .words(" AS SELECT ")
            .add(columns)
            .words(" FROM ")
            .name(place.physicalSchema().name(), view.table())
            .words(" WHERE ")
            .written(view.condition())
            .words(" WITH CASCADED CHECK OPTION"));
  }

  /** Asks a mysqld for schema and name of its views whose names begin so. */
  public static Sql named(String prefix) {
    return Sql.of(
            "SELECT TABLE_SCHEMA, TABLE_NAME FROM information_schema.VIEWS WHERE TABLE_NAME LIKE ")
        .string(prefix.replace("_", "\\_") + "%");
  }

  /** A mysqld's error with the names of the clients' views in it; schemas are logical already. */
  public static AlraiException told(List<CheckView> views, AlraiException error) {
    String text = told(views, error.sentence());
    return text.equals(error.sentence()) ? error : error.withSentence(text);
  }

  /** A sentence in the words of the client's views. */
  public static String told(List<CheckView> views, String sentence) {
    String text = sentence;
    for (CheckView view : views) {
      text =
          text.replace(view.tableSchema() + "." + view.name(), view.schema() + "." + view.view())
              .replace(view.name(), view.view());
    }
    return text;
  }
}
