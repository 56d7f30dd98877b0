package io.alrai.cn.shard;

import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.common.type.Collations;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a CN learns from the mysqlds once, at its start.
 *
 * @param version of the mysqlds, for example {@code 9.7.4}
 * @param connectTimeoutSeconds their global connect_timeout
 * @param collations all that they know
 */
public record ServerFacts(String version, int connectTimeoutSeconds, Collations collations) {
  /** Asks any DN. Blocking. */
  public static ServerFacts read(ShardQueries queries) {
    DnId dn = queries.links().any();
    List<@Nullable String> server =
        queries.query(dn, "", Sql.of("SELECT VERSION(), @@GLOBAL.connect_timeout")).get(0);
    String version = text(server, 0);
    List<Collations.Collation> collations =
        queries
            .query(
                dn,
                "",
                Sql.of(
                    "SELECT ID, COLLATION_NAME, CHARACTER_SET_NAME, IS_DEFAULT, PAD_ATTRIBUTE"
                        + " FROM information_schema.COLLATIONS"))
            .stream()
            .map(ServerFacts::collation)
            .toList();
    return new ServerFacts(
        version.replaceAll("[^0-9.].*", ""),
        Integer.parseInt(text(server, 1)),
        new Collations(collations));
  }

  private static Collations.Collation collation(List<@Nullable String> row) {
    return new Collations.Collation(
        Integer.parseInt(text(row, 0)),
        text(row, 1),
        text(row, 2),
        text(row, 3).equals("Yes"),
        text(row, 4).equals("PAD SPACE"));
  }

  private static String text(List<@Nullable String> row, int column) {
    return Objects.requireNonNullElse(row.get(column), "");
  }
}
