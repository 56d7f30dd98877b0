package io.alrai.optimizer.parse.ddl;

import io.alrai.optimizer.api.DdlStatement.AlterAction;
import io.alrai.optimizer.api.DdlStatement.AlterKind;
import io.alrai.optimizer.parse.ddl.DdlTokens.Kind;
import io.alrai.optimizer.parse.ddl.DdlTokens.Token;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** Tells what an action of ALTER TABLE does, from its first words. */
final class AlterActionReader {
  private static final List<String> NO_COLUMNS =
      List.of("INDEX", "KEY", "PRIMARY", "FOREIGN", "CHECK", "CONSTRAINT");
  private static final List<String> MANNERS = List.of("ALGORITHM", "LOCK", "WITH", "WITHOUT");

  private final DdlCursor cursor;

  AlterActionReader(DdlCursor cursor) {
    this.cursor = cursor;
  }

  /**
   * Reads the action between two tokens; the cursor ends where it was.
   *
   * @param schema where a name stands that is left out of its text, with the point after it
   */
  AlterAction read(int from, int to, OptionalInt schema) {
    String text =
        schema.isEmpty()
            ? cursor.slice(from, to)
            : cursor.slice(from, schema.getAsInt()) + " " + cursor.slice(schema.getAsInt() + 2, to);
    List<String> words = words(from, to);
    if (cursor.seesAt(from, "DROP") && !anyAt(from + 1, NO_COLUMNS)) {
      int name = cursor.seesAt(from + 1, "COLUMN") ? from + 2 : from + 1;
      return column(AlterKind.DROP_COLUMN, text, name, name, to, words);
    }
    if (cursor.seesAt(from, "RENAME", "COLUMN")) {
      return column(AlterKind.RENAME_COLUMN, text, from + 2, from + 4, to, words);
    }
    if (cursor.seesAt(from, "CHANGE") || cursor.seesAt(from, "MODIFY")) {
      int name = cursor.seesAt(from + 1, "COLUMN") ? from + 2 : from + 1;
      int newName = cursor.seesAt(from, "CHANGE") ? name + 1 : name;
      return column(AlterKind.CHANGE_COLUMN, text, name, newName, to, words);
    }
    if (cursor.seesAt(from, "CONVERT")) {
      return AlterAction.of(AlterKind.CONVERT, text, words);
    }
    if (anyAt(from, MANNERS)) {
      return AlterAction.of(AlterKind.MANNER, text, words);
    }
    boolean option = !cursor.seesAt(from, "ADD") && hasAutoIncrement(from, to);
    return AlterAction.of(option ? AlterKind.AUTO_INCREMENT : AlterKind.OTHER, text, words);
  }

  private AlterAction column(
      AlterKind kind, String text, int name, int newName, int to, List<String> words) {
    if (Math.max(name, newName) >= to) {
      // too short: the mysqld will say so
      return AlterAction.of(AlterKind.OTHER, text, words);
    }
    return new AlterAction(
        kind, text, cursor.token(name).value(), cursor.token(newName).value(), words);
  }

  private boolean hasAutoIncrement(int from, int to) {
    return IntStream.range(from, to).anyMatch(at -> cursor.seesAt(at, "AUTO_INCREMENT"));
  }

  private boolean anyAt(int index, List<String> words) {
    return words.stream().anyMatch(word -> cursor.seesAt(index, word));
  }

  /** The words and identifiers between two tokens. */
  List<String> words(int from, int to) {
    return IntStream.range(Math.max(0, from), to)
        .mapToObj(cursor::token)
        .filter(token -> token.kind() == Kind.WORD || token.kind() == Kind.QUOTED)
        .map(Token::value)
        .toList();
  }
}
