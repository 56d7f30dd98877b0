package io.alrai.optimizer.parse;

import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.MembersStatement;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.TokenCursor;
import java.util.Optional;

/**
 * ALTER SYSTEM for the members of DNs' groups, and PolarDB-X's procedure that changes a leader,
 * which is no routine here.
 */
final class MembersParser {
  private final TokenCursor tokens;

  MembersParser(TokenCursor tokens) {
    this.tokens = tokens;
  }

  /** Whether a text begins as one of them. */
  static boolean sees(TokenCursor tokens) {
    return tokens.sees("ALTER", "SYSTEM")
        || (tokens.sees("CALL", "dbms_consensus")
            && tokens.seesAt(tokens.position() + 3, "change_leader"));
  }

  AdminStatement.Parsed parse() {
    MembersStatement parsed = tokens.take("CALL") ? call() : alter();
    tokens.expectEnd();
    return new AdminStatement.OfMembers(parsed);
  }

  private MembersStatement call() {
    tokens.tableName();
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
    tokens.expect("CHANGE_ROLE");
    tokens.expect("NODE");
    String member = tokens.string();
    tokens.expect("TO");
    tokens.expect("LEADER");
    return new MembersStatement.ChangeLeader(member);
  }

  private MembersStatement add() {
    boolean keepsRows = tokens.take("FOLLOWER");
    if (!keepsRows) {
      tokens.expect("LOGGER");
    }
    String member = tokens.string();
    tokens.expect("TO");
    return new MembersStatement.Add(member, tokens.string(), keepsRows);
  }
}
