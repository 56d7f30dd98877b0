package io.alrai.common.type;

import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The collations that the mysqlds know, by number and name. Immutable. */
public final class Collations {
  /**
   * One collation.
   *
   * @param id the protocol's number
   * @param name for example {@code utf8mb4_0900_ai_ci}
   * @param charset for example {@code utf8mb4}
   * @param isDefault whether it is its character set's default
   * @param padSpace whether trailing spaces do not matter
   */
  public record Collation(
      int id, String name, String charset, boolean isDefault, boolean padSpace) {}

  private final Map<Integer, Collation> byId = new HashMap<>();
  private final Map<String, Collation> byName = new HashMap<>();
  private final Map<String, Collation> defaults = new HashMap<>();

  /** All of them, as information_schema.COLLATIONS lists them. */
  public Collations(Collection<Collation> all) {
    for (Collation collation : all) {
      byId.put(collation.id(), collation);
      byName.put(collation.name(), collation);
      if (collation.isDefault()) {
        defaults.put(collation.charset(), collation);
      }
    }
  }

  /** By the protocol's number. */
  public Optional<Collation> ofId(int id) {
    return Optional.ofNullable(byId.get(id));
  }

  /** By name, whatever its case. */
  public Optional<Collation> ofName(String name) {
    return Optional.ofNullable(byName.get(name.toLowerCase(Locale.ROOT)));
  }

  /** A character set's default, whatever the name's case; utf8 means utf8mb3. */
  public Optional<Collation> defaultOf(String charset) {
    String name = charset.toLowerCase(Locale.ROOT);
    return Optional.ofNullable(defaults.get(name.equals("utf8") ? "utf8mb3" : name));
  }
}
