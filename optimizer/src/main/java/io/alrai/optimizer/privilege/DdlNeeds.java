package io.alrai.optimizer.privilege;

import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.View;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.DdlStatement.UserName;
import io.alrai.optimizer.api.DdlStatement.ViewVerb;
import io.alrai.optimizer.api.Need;
import io.alrai.optimizer.api.RoutineChange;
import io.alrai.optimizer.api.text.SyntaxException;
import io.alrai.optimizer.api.token.FunctionCalls;
import io.alrai.optimizer.api.token.TokenCursor;
import io.alrai.optimizer.bind.ColumnUses;
import io.alrai.optimizer.bind.TableUses;
import io.alrai.optimizer.syntax.Statement;
import io.alrai.optimizer.syntax.StatementParser;
import java.util.List;
import java.util.Optional;

/**
 * What DDL needs (MySQL Reference Manual, at each statement). What CREATE TABLE ... SELECT reads is
 * checked when its query is planned. Pure.
 */
final class DdlNeeds {
  /** What lets an account make a view of a table. */
  private static final long OF_VIEWS =
      Privilege.bits(Privilege.SELECT, Privilege.INSERT, Privilege.UPDATE, Privilege.DELETE);

  private final NeedList needs;

  DdlNeeds(NeedList needs) {
    this.needs = needs;
  }

  void find(DdlStatement statement) {
    switch (statement) {
      case DdlStatement.CreateDatabase create -> needs.onSchema(create.name(), Privilege.CREATE);
      case DdlStatement.AlterDatabase alter ->
          needs.onSchema(alter.name().orElse(needs.context().currentSchema()), Privilege.ALTER);
      case DdlStatement.DropDatabase drop -> needs.onSchema(drop.name(), Privilege.DROP);
      case DdlStatement.CreateTable create -> create(create);
      case DdlStatement.CreateTableLike like -> {
        if (like.temporary()) {
          needs.onSchema(needs.schema(like.name()), Privilege.CREATE_TEMPORARY_TABLES);
        } else {
          needs.onTable(like.name(), Privilege.CREATE);
        }
        needs.onTable(like.source(), Privilege.SELECT);
      }
      case DdlStatement.DropTables drop -> {
        if (!drop.temporary()) {
          drop.names().forEach(name -> needs.onTable(name, Privilege.DROP));
        }
      }
      case DdlStatement.AlterTable alter -> alter(alter);
      case DdlStatement.MakeSingle single ->
          single.names().forEach(name -> needs.onTable(name, Privilege.ALTER));
      case DdlStatement.CreateColumnIndex index -> needs.onTable(index.table(), Privilege.INDEX);
      case DdlStatement.TruncateTable truncate -> needs.onTable(truncate.name(), Privilege.DROP);
      case DdlStatement.RenameTables rename ->
          rename
              .renamings()
              .forEach(each -> {
                needs.onTable(each.from(), Privilege.DROP, Privilege.ALTER);
                needs.onTable(each.to(), Privilege.INSERT, Privilege.CREATE);
              });
      case DdlStatement.CreateView create -> create(create);
      case DdlStatement.DropViews drop -> drop(drop);
      case DdlStatement.CreateTrigger create -> {
        needs.onTable(create.table(), Privilege.TRIGGER);
        asDefiner(create.definer());
      }
      case DdlStatement.DropTrigger drop -> drop(drop);
      case DdlStatement.OnRoutine routine -> change(routine);
      case DdlStatement.AlterUsers _ -> needs.add(new Need.Unasked());
      case DdlStatement.OnAccount _ -> {
        // checked against the accounts they name, when they run
      }
    }
  }

  private void create(DdlStatement.CreateTable create) {
    if (create.temporary()) {
      needs.onSchema(needs.schema(create.name()), Privilege.CREATE_TEMPORARY_TABLES);
      return;
    }
    if (create.query().isPresent()) {
      needs.onTable(create.name(), Privilege.INSERT, Privilege.CREATE);
    } else {
      needs.onTable(create.name(), Privilege.CREATE);
    }
    parents(create.body(), needs.schema(create.name()));
  }

  private void alter(DdlStatement.AlterTable alter) {
    Privilege privilege = tokens(alter.sql()).sees("ALTER") ? Privilege.ALTER : Privilege.INDEX;
    if (alter.renameTo().isPresent()) {
      needs.onTable(alter.name(), Privilege.DROP, privilege);
      needs.onTable(alter.renameTo().get(), Privilege.INSERT, Privilege.CREATE);
    } else {
      needs.onTable(alter.name(), privilege);
    }
    alter.actions().forEach(action -> parents(action.text(), needs.schema(alter.name())));
  }

  private TokenCursor tokens(String sql) {
    return new TokenCursor(sql, needs.context().ansiQuotes(), needs.context().noBackslashEscapes());
  }

  /** The tables after REFERENCES. */
  private void parents(String text, String schema) {
    TokenCursor tokens = tokens(text);
    while (!tokens.atEnd()) {
      if (tokens.take("REFERENCES")
          && !tokens.atEnd()
          && tokens.token(tokens.position()).isName()) {
        TableName parent = tokens.tableName();
        needs.add(new Need.ParentTable(parent.schema().orElse(schema), parent.table()));
      } else if (!tokens.atEnd()) {
        tokens.moveTo(tokens.position() + 1);
      }
    }
  }

  private void create(DdlStatement.CreateView create) {
    TableName name = create.name();
    needs.onTable(name, Privilege.CREATE_VIEW);
    if (create.verb() != ViewVerb.CREATE) {
      needs.onTable(name, Privilege.DROP);
    }
    asDefiner(create.definer());
    readable(create.query().text());
  }

  private void asDefiner(Optional<UserName> definer) {
    definer
        .filter(user -> !user.equals(UserName.CURRENT))
        .ifPresent(user -> needs.add(new Need.AsDefiner(user.user() + "@" + user.host())));
  }

  private void change(DdlStatement.OnRoutine routine) {
    switch (routine.change()) {
      case RoutineChange.CreateProcedure create -> create(routine.name(), create.definer());
      case RoutineChange.CreateFunction create -> create(routine.name(), create.definer());
      case RoutineChange.Alter _, RoutineChange.Drop _ -> {
        needs.onRoutine(routine.kind(), routine.name(), Privilege.ALTER_ROUTINE);
        needs
            .definer(routine.kind(), routine.name())
            .ifPresent(definer -> needs.add(new Need.OfDefiner(definer)));
      }
    }
  }

  private void create(TableName routine, Optional<UserName> definer) {
    needs.onSchema(needs.schema(routine), Privilege.CREATE_ROUTINE);
    asDefiner(definer);
  }

  /** On the table that has the trigger, if there is one. */
  private void drop(DdlStatement.DropTrigger drop) {
    String schema = needs.schema(drop.name());
    needs
        .context()
        .catalog()
        .triggered(schema, drop.name().table())
        .ifPresent(table -> needs.onTable(schema, table.name(), Privilege.TRIGGER.bit()));
  }

  /**
   * Something on each table of a view's query, and EXECUTE on each function; reading the tables is
   * asked for when the view is read.
   */
  private void readable(String query) {
    Optional<Statement> tree = tree(query);
    for (TableUses.Use use : tree.map(TableUses::of).map(TableUses::tables).orElse(List.of())) {
      String schema = needs.schema(use.table().schema());
      if (!schema.isEmpty()) {
        needs.add(
            new Need.AnyOnTable(schema, use.table().name().name(), OF_VIEWS, "ANY", false, true));
      }
    }
    if (tree.isPresent() && tree.get() instanceof Statement.Select select) {
      ColumnUses columns = needs.columnUses();
      columns.definition(select.query(), OF_VIEWS);
      needs.columns(columns, List.of(), false);
    }
    FunctionCalls.in(tokens(query), needs.context()).stream()
        .map(FunctionCalls.Call::function)
        .distinct()
        .forEach(function -> needs.onFunction(function, Privilege.EXECUTE));
  }

  /** None of a query that cannot be read: planning it says where it is wrong. */
  private Optional<Statement> tree(String query) {
    try {
      return Optional.of(
          StatementParser.parse(
              query, needs.context().ansiQuotes(), needs.context().noBackslashEscapes()));
    } catch (SyntaxException e) {
      return Optional.empty();
    }
  }

  private void drop(DdlStatement.DropViews drop) {
    for (TableName name : drop.names()) {
      needs.onTable(name, Privilege.DROP);
      needs
          .context()
          .catalog()
          .view(needs.schema(name), name.table())
          .map(View::definer)
          .filter(definer -> !definer.isEmpty())
          .ifPresent(definer -> needs.add(new Need.OfDefiner(definer)));
    }
  }
}
