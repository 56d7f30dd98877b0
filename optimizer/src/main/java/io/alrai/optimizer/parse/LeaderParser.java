package io.alrai.optimizer.parse;

import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.TokenCursor;

/** ALTER SYSTEM CHANGE_ROLE, and PolarDB-X's procedure for it, which is no routine here. */
final class LeaderParser {
  private final TokenCursor tokens;

  LeaderParser(TokenCursor tokens) {
    this.tokens = tokens;
  }

  /** Whether a text begins as one of them. */
  static boolean sees(TokenCursor tokens) {
    return tokens.sees("ALTER", "SYSTEM")
        || (tokens.sees("CALL", "dbms_consensus")
            && tokens.seesAt(tokens.position() + 3, "change_leader"));
  }

  AdminStatement.Parsed parse() {
    String member;
    if (tokens.take("CALL")) {
      tokens.tableName();
      tokens.expect(TokenKind.OPEN);
      member = tokens.string();
      tokens.expect(TokenKind.CLOSE);
    } else {
      tokens.expect("ALTER");
      tokens.expect("SYSTEM");
      tokens.expect("CHANGE_ROLE");
      tokens.expect("NODE");
      member = tokens.string();
      tokens.expect("TO");
      tokens.expect("LEADER");
    }
    tokens.expectEnd();
    return new AdminStatement.ChangeLeader(member);
  }
}
