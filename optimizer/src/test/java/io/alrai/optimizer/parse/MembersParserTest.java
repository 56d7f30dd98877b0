package io.alrai.optimizer.parse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.gms.api.Catalog;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.MembersStatement;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.shape.ShapedText;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** ALTER SYSTEM FORCE LEADER, which must mean what was typed and nothing near it. */
final class MembersParserTest {
  private static final Planner.Context CONTEXT =
      new Planner.Context(Catalog.EMPTY, "shop", false, false);

  private static Optional<AdminStatement.Parsed> parse(String sql) {
    return AdminParser.parse(ShapedText.of(sql), CONTEXT);
  }

  private static MembersStatement.ForceLeader forced(String sql) {
    AdminStatement.OfMembers parsed = (AdminStatement.OfMembers) parse(sql).orElseThrow();
    return (MembersStatement.ForceLeader) parsed.statement();
  }

  @Test
  void lossIsAcceptedInThreeWords() {
    assertEquals(
        new MembersStatement.ForceLeader("dn-1-b", "dn-1", false),
        forced("ALTER SYSTEM FORCE LEADER 'dn-1-b' OF 'dn-1'"));
    assertEquals(
        new MembersStatement.ForceLeader("dn-1-b", "dn-1", true),
        forced("alter system force /* sure */ leader 'dn-1-b' of 'dn-1' accept data loss"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ALTER SYSTEM FORCE LEADER 'a' OF 'b' ACCEPT",
        "ALTER SYSTEM FORCE LEADER 'a' OF 'b' ACCEPT DATA",
        "ALTER SYSTEM FORCE LEADER 'a' OF 'b' ACCEPT LOSS",
        "ALTER SYSTEM FORCE LEADER 'a' OF 'b' ACCEPT DATA LOSS x",
        "ALTER SYSTEM FORCE LEADER 'a' OF 'b' DATA LOSS",
        "ALTER SYSTEM FORCE LEADER 'a' FROM 'b'",
        "ALTER SYSTEM FORCE LEADER 'a'",
        "ALTER SYSTEM FORCE LEADER",
        "ALTER SYSTEM FORCE 'a' OF 'b'",
      })
  void whatIsNearItIsNoStatement(String sql) {
    assertEquals(1064, assertThrows(AlraiException.class, () -> parse(sql)).errno());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"%", "_", "d`n", "a.b", " ", "\u00fc\u20ac", "\ud83d\ude00", "dn-1' OF 'x"})
  void namesAreTakenAsTheyAre(String name) {
    String quoted = "'" + name.replace("'", "''") + "'";
    assertEquals(
        new MembersStatement.ForceLeader(name, name, true),
        forced("ALTER SYSTEM FORCE LEADER " + quoted + " OF " + quoted + " ACCEPT DATA LOSS"));
    assertEquals(
        name.repeat(64),
        forced(
                "ALTER SYSTEM FORCE LEADER '"
                    + name.replace("'", "''").repeat(64)
                    + "' OF \"ACCEPT DATA LOSS\"")
            .member());
    assertTrue(!forced("ALTER SYSTEM FORCE LEADER 'a' OF \"ACCEPT DATA LOSS\"").acceptsLoss());
  }
}
