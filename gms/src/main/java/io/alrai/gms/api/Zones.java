package io.alrai.gms.api;

import java.util.Optional;

/**
 * The zones that members of DNs' groups are in, and the one whose members are to lead: settings of
 * the catalog, so that a version that knows no zones reads it.
 */
public final class Zones {
  /** How long a zone's name may be, in characters. */
  public static final int MOST_CHARACTERS = 64;

  private static final String MEMBER = "zone.";
  private static final String PRIMARY = "config.primary_zone";

  private Zones() {}

  /** The zone of a member; empty for none. */
  public static String of(Catalog catalog, String member) {
    return catalog.settings().getOrDefault(MEMBER + member, "");
  }

  /** What puts a member into a zone, or into none; empty where it is there. */
  public static Optional<CatalogCommand> change(Catalog catalog, String member, String zone) {
    return of(catalog, member).equals(zone)
        ? Optional.empty()
        : Optional.of(new CatalogCommand.PutSetting(MEMBER + member, zone));
  }

  /** What puts a member into no zone. */
  public static CatalogCommand leave(String member) {
    return new CatalogCommand.PutSetting(MEMBER + member, "");
  }

  /** Whose members are to lead; empty for nobody's. */
  public static String primary(Catalog catalog) {
    return catalog.settings().getOrDefault(PRIMARY, "");
  }

  /** What has the members of a zone lead; of an empty one, whoever does. */
  public static CatalogCommand choosePrimary(String zone) {
    return new CatalogCommand.PutSetting(PRIMARY, zone);
  }
}
