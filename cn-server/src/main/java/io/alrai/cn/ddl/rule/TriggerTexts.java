package io.alrai.cn.ddl.rule;

import io.alrai.cn.ddl.job.JobRun;
import io.alrai.cn.ddl.job.Place;
import io.alrai.cn.ddl.job.SqlText;
import io.alrai.cn.ddl.job.SqlWarning;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.sql.Sql;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.Trigger;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.DdlStatement.TriggerOrder;
import io.alrai.optimizer.api.TriggerBody.Edit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The statements that make triggers and take them away. */
public final class TriggerTexts {
  private TriggerTexts() {}

  private static int find(List<Trigger> triggers, String name) {
    for (int i = 0; i < triggers.size(); i++) {
      if (triggers.get(i).name().equalsIgnoreCase(name)) {
        return i;
      }
    }
    return -1;
  }

  /** The triggers with one more: the last, or beside the one that its clause names. */
  public static List<Trigger> with(
      List<Trigger> triggers, Trigger made, Optional<TriggerOrder> order) {
    List<Trigger> after = new ArrayList<>(triggers);
    int other = order.map(each -> find(triggers, each.other())).orElse(-1);
    int at = other < 0 ? after.size() : order.get().follows() ? other + 1 : other;
    after.add(at, made);
    return after;
  }

  public static List<Trigger> without(List<Trigger> triggers, String name) {
    return triggers.stream().filter(each -> !each.name().equalsIgnoreCase(name)).toList();
  }

  /**
   * Makes it where rows are, in the name of the account that all their statements have.
   *
   * @param tables the names of the body's tables there
   */
  public static Sql atRows(
      DdlStatement.CreateTrigger create, String definer, String schema, List<Edit> tables) {
    Sql order =
        create
            .order()
            .map(each ->
                Sql.of(each.follows() ? "FOLLOWS " : "PRECEDES ").name(each.other()).words(" "))
            .orElse(Sql.EMPTY);
    return head(create.name().table(), create.timing(), create.event(), create.table().table())
        .add(order)
        .written(create.body().at(definer, schema, tables));
  }

  private static Sql head(String name, String timing, String event, String table) {
    return Sql.of("TRIGGER ")
        .name(name)
        .words(" ")
        .word(timing)
        .words(" ")
        .word(event)
        .words(" ON ")
        .name(table)
        .words(" FOR EACH ROW ");
  }

  public static Sql drop(String name) {
    return Sql.of("DROP TRIGGER IF EXISTS ").name(name);
  }

  /** {@code `user`@`host`}. */
  public static Sql quoted(String definer) {
    int at = definer.lastIndexOf('@');
    return Sql.EMPTY.name(definer.substring(0, at)).words("@").name(definer.substring(at + 1));
  }

  /** What MySQL says of a definer that is not there; the mysqlds know no accounts of clients. */
  public static SqlWarning unknownDefiner(String definer) {
    return SqlWarning.note(ErrorCode.ER_NO_SUCH_USER.errno(), Account.unknownDefiner(definer));
  }

  /** Gives a shadow that has been made anew the triggers of its table. */
  public static void restore(JobRun run, Place shadow, Table table) {
    for (Trigger trigger : table.triggers()) {
      run.executeCopyAsAdmin(
          shadow,
          Sql.of("CREATE DEFINER=")
              .add(quoted(trigger.definer()))
              .words(" ")
              .add(head(trigger.name(), trigger.timing(), trigger.event(), table.name()))
              .written(trigger.body()),
          settingsOf(trigger));
    }
  }

  /** The settings under which a trigger was made. */
  public static Map<String, String> settingsOf(Trigger trigger) {
    return Map.of(
        "sql_mode", SqlText.word(trigger.sqlMode()),
        "character_set_client", SqlText.word(trigger.charset()),
        "collation_connection", SqlText.word(trigger.collation()));
  }
}
