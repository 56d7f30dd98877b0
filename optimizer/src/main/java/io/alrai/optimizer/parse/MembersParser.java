package io.alrai.optimizer.parse;

import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.MembersStatement;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.TokenCursor;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * ALTER SYSTEM for the members of DNs' groups and the nodes of the GMS, and PolarDB-X's procedures
 * for them, which are no routines here: the one that changes a leader; the others are refused with
 * what is to be used.
 */
final class MembersParser {
  private static final String STAYS =
      ": who votes and who learns is said when they are added; use ALTER SYSTEM DROP NODE 'node'"
          + " FROM 'dn', then ADD FOLLOWER or ADD LEARNER of another process";

  /** Procedures of PolarDB-X, with what is to be used instead. */
  private static final Map<String, String> OTHERS =
      Map.of(
          "add_follower", "; use ALTER SYSTEM ADD FOLLOWER 'node' TO 'dn'",
          "drop_follower", "; use ALTER SYSTEM DROP NODE 'node' FROM 'dn'",
          "configure_follower", "; ALTER SYSTEM CHANGE_ROLE NODE 'node' TO LEADER says who leads",
          "add_learner", "; use ALTER SYSTEM ADD LEARNER 'node' TO 'dn'",
          "drop_learner", "; use ALTER SYSTEM DROP NODE 'node' FROM 'dn'",
          "upgrade_learner", STAYS,
          "downgrade_follower", STAYS);

  private final TokenCursor tokens;

  MembersParser(TokenCursor tokens) {
    this.tokens = tokens;
  }

  /** Whether a text begins as one of them. */
  static boolean sees(TokenCursor tokens) {
    return tokens.sees("ALTER", "SYSTEM") || seesCall(tokens);
  }

  /** A procedure of another name may be the client's. */
  private static boolean seesCall(TokenCursor tokens) {
    int name = tokens.position() + 3;
    return tokens.sees("CALL", "dbms_consensus")
        && (tokens.seesAt(name, "change_leader")
            || OTHERS.keySet().stream().anyMatch(other -> tokens.seesAt(name, other)));
  }

  AdminStatement.Parsed parse() {
    MembersStatement parsed = tokens.take("CALL") ? call() : alter();
    tokens.expectEnd();
    return new AdminStatement.OfMembers(parsed);
  }

  private MembersStatement call() {
    String procedure = tokens.tableName().table().toLowerCase(Locale.ROOT);
    if (!procedure.equals("change_leader")) {
      throw AdminParser.notSupported(
          "dbms_consensus." + procedure, OTHERS.getOrDefault(procedure, ""));
    }
    tokens.expect(TokenKind.OPEN);
    String member = tokens.string();
    tokens.expect(TokenKind.CLOSE);
    return new MembersStatement.ChangeLeader(member);
  }

  private MembersStatement alter() {
    tokens.expect("ALTER");
    tokens.expect("SYSTEM");
    if (tokens.take("ADD")) {
      return add();
    }
    if (tokens.take("DROP")) {
      if (tokens.take("GMS")) {
        return new MembersStatement.DropGms(tokens.string());
      }
      tokens.expect("NODE");
      String member = tokens.string();
      tokens.expect("FROM");
      return new MembersStatement.Drop(member, tokens.string());
    }
    if (tokens.take("REBUILD")) {
      tokens.expect("NODE");
      String member = tokens.string();
      return new MembersStatement.Rebuild(
          member, tokens.take("OF") ? Optional.of(tokens.string()) : Optional.empty());
    }
    if (tokens.take("FORCE")) {
      return force();
    }
    if (tokens.take("SET", "CONFIG", "PRIMARY_ZONE")) {
      if (!tokens.takeOperator("=")) {
        throw tokens.syntaxError();
      }
      return new MembersStatement.SetPrimaryZone(tokens.string());
    }
    if (tokens.take("GET", "CONFIG", "PRIMARY_ZONE")) {
      return new MembersStatement.GetPrimaryZone();
    }
    tokens.expect("CHANGE_ROLE");
    if (tokens.take("ZONE")) {
      String zone = tokens.string();
      tokens.expect("TO", "LEADER");
      return new MembersStatement.ChangeZone(zone);
    }
    tokens.expect("NODE");
    String member = tokens.string();
    tokens.expect("TO");
    if (tokens.take("FOLLOWER")) {
      throw AdminParser.notSupported(
          "CHANGE_ROLE .. TO FOLLOWER",
          "; let another member lead with ALTER SYSTEM CHANGE_ROLE NODE '..' TO LEADER, then this"
              + " one follows");
    }
    if (tokens.take("LEARNER")) {
      throw AdminParser.notSupported("CHANGE_ROLE .. TO LEARNER", STAYS);
    }
    tokens.expect("LEADER");
    return new MembersStatement.ChangeLeader(member);
  }

  private MembersStatement force() {
    tokens.expect("LEADER");
    String member = tokens.string();
    tokens.expect("OF");
    String dn = tokens.string();
    boolean accepts = tokens.take("ACCEPT");
    if (accepts) {
      tokens.expect("DATA");
      tokens.expect("LOSS");
    }
    return new MembersStatement.ForceLeader(member, dn, accepts);
  }

  private MembersStatement add() {
    if (tokens.take("LEARNER")) {
      String learner = tokens.string();
      tokens.expect("TO");
      return new MembersStatement.AddLearner(learner, tokens.string());
    }
    if (tokens.take("GMS")) {
      String node = tokens.string();
      tokens.expect("AT");
      return new MembersStatement.AddGms(node, tokens.string());
    }
    boolean keepsRows = tokens.take("FOLLOWER");
    if (!keepsRows) {
      tokens.expect("LOGGER");
    }
    String member = tokens.string();
    tokens.expect("TO");
    return new MembersStatement.Add(member, tokens.string(), keepsRows);
  }
}
