package io.alrai.cn.settings;

import io.alrai.optimizer.api.AdminStatement.Wish;
import java.util.Locale;

/**
 * {@code completion_type}: what follows COMMIT and ROLLBACK that say neither CHAIN nor RELEASE. It
 * never reaches a mysqld: there it would change the meaning of the COMMITs that CNs send, and a
 * connection would go to another session inside of a transaction.
 */
public enum CompletionType {
  /** Nothing. */
  NO_CHAIN,
  /** Another transaction of the same kind. */
  CHAIN,
  /** The end of the connection. */
  RELEASE;

  /** The variable. */
  public static final String NAME = "completion_type";

  /** What a mysqld says a value is. */
  public static CompletionType ofLiteral(String literal) {
    return valueOf(literal.replace("'", "").toUpperCase(Locale.ROOT));
  }

  /** The type that sessions begin with, and that DEFAULT means. */
  public static CompletionType initial(GlobalVariables globals) {
    return globals.literal(NAME).map(CompletionType::ofLiteral).orElse(NO_CHAIN);
  }

  /** Whether a transaction follows. */
  public boolean chains(Wish said) {
    return said == Wish.YES || said == Wish.UNSAID && this == CHAIN;
  }

  /** Whether the connection ends. */
  public boolean releases(Wish said) {
    return said == Wish.YES || said == Wish.UNSAID && this == RELEASE;
  }
}
