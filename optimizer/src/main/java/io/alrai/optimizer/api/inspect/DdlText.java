package io.alrai.optimizer.api.inspect;

import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.parse.ddl.DdlParser;
import java.util.Optional;

/** DDL as text. Stateless. */
public final class DdlText {
  private DdlText() {}

  /** The statement; empty when it is no DDL. */
  public static Optional<DdlStatement> parse(
      String text, boolean ansiQuotes, boolean noBackslashEscapes) {
    return DdlParser.parse(text, ansiQuotes, noBackslashEscapes);
  }

  /** The statement of a text as mysqlds write it; empty when it is no DDL. */
  public static Optional<DdlStatement> parse(String text) {
    return DdlParser.parse(text);
  }
}
