package io.alrai.optimizer.parse.ddl;

import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.DdlStatement.TriggerOrder;
import io.alrai.optimizer.api.DdlStatement.UserName;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** CREATE TRIGGER and DROP TRIGGER after their first words. */
final class TriggerDdlParser {
  private static final List<String> TIMINGS = List.of("BEFORE", "AFTER");
  private static final List<String> EVENTS = List.of("INSERT", "UPDATE", "DELETE");

  private final DdlCursor cursor;

  TriggerDdlParser(DdlCursor cursor) {
    this.cursor = cursor;
  }

  /** Whether the clauses at the cursor are followed by the word TRIGGER; moves nothing. */
  boolean seesTrigger() {
    int start = cursor.position();
    try {
      new AccountDdlParser(cursor).definer();
      return cursor.sees("TRIGGER");
    } finally {
      cursor.moveTo(start);
    }
  }

  DdlStatement createTrigger() {
    Optional<UserName> definer = new AccountDdlParser(cursor).definer();
    int text = cursor.position();
    cursor.expect("TRIGGER");
    boolean ifNotExists = cursor.take("IF", "NOT", "EXISTS");
    TableName name = cursor.tableName();
    String timing = word(TIMINGS);
    String event = word(EVENTS);
    cursor.expect("ON");
    TableName table = cursor.tableName();
    for (String each : List.of("FOR", "EACH", "ROW")) {
      cursor.expect(each);
    }
    Optional<TriggerOrder> order = Optional.empty();
    boolean follows = cursor.sees("FOLLOWS");
    if (cursor.take("FOLLOWS") || cursor.take("PRECEDES")) {
      order = Optional.of(new TriggerOrder(follows, cursor.identifier()));
    }
    return new DdlStatement.CreateTrigger(
        cursor.sql(),
        name,
        ifNotExists,
        definer,
        timing,
        event,
        table,
        order,
        cursor.slice(text, cursor.size()),
        TriggerBodyReader.read(cursor));
  }

  private String word(List<String> allowed) {
    if (allowed.stream().noneMatch(cursor::sees)) {
      throw cursor.syntaxError();
    }
    return cursor.identifier().toUpperCase(Locale.ROOT);
  }

  DdlStatement dropTrigger() {
    boolean ifExists = cursor.take("IF", "EXISTS");
    TableName name = cursor.tableName();
    cursor.expectEnd();
    return new DdlStatement.DropTrigger(cursor.sql(), name, ifExists);
  }
}
