package io.alrai.optimizer.parse;

import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.AdminStatement.Wish;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.TokenCursor;

/** BEGIN, START TRANSACTION, COMMIT, ROLLBACK, SAVEPOINT and RELEASE SAVEPOINT. */
final class TransactionParser {
  private final TokenCursor tokens;

  TransactionParser(TokenCursor tokens) {
    this.tokens = tokens;
  }

  AdminStatement.Parsed parse() {
    AdminStatement.Parsed statement = statement();
    tokens.expectEnd();
    return statement;
  }

  private AdminStatement.Parsed statement() {
    if (tokens.take("BEGIN")) {
      tokens.take("WORK");
      return new AdminStatement.Begin(Wish.UNSAID, false);
    }
    if (tokens.take("START")) {
      return start();
    }
    if (tokens.take("SAVEPOINT")) {
      return new AdminStatement.Savepoint(tokens.identifier());
    }
    if (tokens.take("RELEASE")) {
      tokens.expect("SAVEPOINT");
      return new AdminStatement.ReleaseSavepoint(tokens.identifier());
    }
    boolean commit = tokens.take("COMMIT");
    if (!commit) {
      tokens.expect("ROLLBACK");
    }
    tokens.take("WORK");
    if (!commit && tokens.take("TO")) {
      tokens.take("SAVEPOINT");
      return new AdminStatement.RollbackToSavepoint(tokens.identifier());
    }
    Wish chain = chain();
    Wish release = release();
    if (chain == Wish.YES && release == Wish.YES) {
      tokens.moveTo(tokens.size() - 1);
      throw tokens.syntaxError();
    }
    return commit
        ? new AdminStatement.Commit(chain, release)
        : new AdminStatement.Rollback(chain, release);
  }

  private Wish chain() {
    if (!tokens.take("AND")) {
      return Wish.UNSAID;
    }
    boolean no = tokens.take("NO");
    tokens.expect("CHAIN");
    return no ? Wish.NO : Wish.YES;
  }

  private Wish release() {
    if (tokens.take("NO")) {
      tokens.expect("RELEASE");
      return Wish.NO;
    }
    return tokens.take("RELEASE") ? Wish.YES : Wish.UNSAID;
  }

  private AdminStatement.Parsed start() {
    if (!tokens.take("TRANSACTION")) {
      if (tokens.sees("REPLICA") || tokens.sees("GROUP_REPLICATION")) {
        throw AdminParser.notSupported("START " + tokens.identifier(), "");
      }
      throw tokens.syntaxError();
    }
    Wish readOnly = Wish.UNSAID;
    boolean snapshot = false;
    if (!tokens.atEnd()) {
      do {
        if (tokens.take("READ")) {
          Wish only = tokens.take("ONLY") ? Wish.YES : Wish.NO;
          if (only == Wish.NO) {
            tokens.expect("WRITE");
          }
          if (readOnly != Wish.UNSAID && readOnly != only) {
            throw tokens.syntaxError();
          }
          readOnly = only;
        } else {
          tokens.expect("WITH", "CONSISTENT", "SNAPSHOT");
          snapshot = true;
        }
      } while (tokens.take(TokenKind.COMMA));
    }
    return new AdminStatement.Begin(readOnly, snapshot);
  }
}
