package io.alrai.cn.system;

import io.alrai.cn.result.ResultTable;
import io.alrai.common.id.DnId;
import io.alrai.dn.link.DnMembers;
import io.alrai.dn.link.MemberStatus;
import io.alrai.gms.api.Zones;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.token.TokenCursor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The tables of information_schema about DNs and their members, which are SHOW STORAGE and SHOW
 * STORAGE REPLICAS, too. Whoever reads one asks all members at once, and blocks for a second at
 * most.
 */
public enum StorageTable {
  /** A row for each DN. */
  STORAGE(
      text("STORAGE_INST_ID", 64),
      text("LEADER_NODE", 64),
      text("LEADER_ADDRESS", 255),
      text("IS_HEALTHY", 8),
      number("TERM"),
      number("MEMBERS"),
      number("MEMBERS_ALIVE")),
  /** A row for each member of each DN. */
  STORAGE_REPLICAS(
      text("DN", 64),
      text("NODE", 64),
      text("ROLE", 16),
      text("STATE", 16),
      number("TERM"),
      text("ADDRESS", 255),
      number("COMMITTED_INDEX"),
      number("TRANSACTIONS_BEHIND"),
      number("APPLY_LAG_MS"),
      text("LAST_ERROR", 1024),
      text("CLONE_FROM", 64),
      number("CLONED_BYTES"),
      number("CLONE_BYTES"),
      text("ZONE", Zones.MOST_CHARACTERS));

  private static final long SILENT_MILLIS = TimeUnit.SECONDS.toMillis(1);

  private final List<Column> columns;

  /**
   * A column.
   *
   * @param characters that it may have; 0 for a number
   */
  private record Column(String name, int characters) {}

  StorageTable(Column... columns) {
    this.columns = List.of(columns);
  }

  private static Column text(String name, int characters) {
    return new Column(name, characters);
  }

  private static Column number(String name) {
    return new Column(name, 0);
  }

  /** The table of a name in information_schema, in any case. */
  static Optional<StorageTable> named(String name) {
    return Arrays.stream(values()).filter(table -> table.name().equalsIgnoreCase(name)).findFirst();
  }

  /** The table of a name in a schema. */
  static Optional<StorageTable> named(String schema, String table) {
    return schema.equalsIgnoreCase("information_schema") ? named(table) : Optional.empty();
  }

  /**
   * SHOW STORAGE with LIKE or WHERE as a query; without, it needs none.
   *
   * @param show after SHOW
   * @return empty for other statements
   */
  static Optional<String> ofShow(TokenCursor show, Supplier<DnGroups> dns) {
    show.take("FULL");
    if (show.sees("STORAGE", "ENGINES") || !show.take("STORAGE")) {
      return Optional.empty();
    }
    StorageTable table = show.take("REPLICAS") ? STORAGE_REPLICAS : STORAGE;
    String condition = TableStatus.condition(show, table.columns.getFirst().name());
    return Optional.of(
        "SELECT * FROM ("
            + table.query(dns.get())
            + ") AS "
            + Identifier.quote(table.name())
            + condition);
  }

  /** Its rows, to be sent as they are. */
  public ResultTable shown(DnGroups dns) {
    ResultTable result = new ResultTable();
    columns.forEach(column -> {
      if (column.characters() == 0) {
        result.number(column.name());
      } else {
        result.text(column.name(), column.characters());
      }
    });
    rows(dns).forEach(row -> result.row(row.toArray()));
    return result;
  }

  /** What DESCRIBE says of it, as a query. */
  String described() {
    StringJoiner rows = new StringJoiner(" UNION ALL ");
    for (Column column : columns) {
      rows.add(
          "SELECT '"
              + column.name()
              + "' AS `Field`,'"
              + (column.characters() == 0 ? "bigint" : "varchar(" + column.characters() + ")")
              + "' AS `Type`,'YES' AS `Null`,'' AS `Key`,NULL AS `Default`,'' AS `Extra`");
    }
    return rows.toString();
  }

  /** A query with its columns and without rows, for whoever asks nobody. */
  private String declared() {
    StringJoiner declared = new StringJoiner(",", "SELECT ", " LIMIT 0");
    for (Column column : columns) {
      declared.add(
          (column.characters() == 0
                  ? "CAST(NULL AS SIGNED)"
                  : "CAST(NULL AS CHAR(" + column.characters() + ") CHARACTER SET utf8mb4)")
              + " AS "
              + Identifier.quote(column.name()));
    }
    return declared.toString();
  }

  /**
   * A text that a mysqld reads without running it, as to PREPARE and EXPLAIN: with the columns of
   * these tables in their places. Pure.
   */
  public static String declaredIn(String text, LexicalMode mode, String currentSchema) {
    if (!text.toUpperCase(Locale.ROOT).contains(STORAGE.name())) {
      return text;
    }
    TokenCursor tokens = new TokenCursor(text, mode.ansiQuotes(), mode.noBackslashEscapes());
    return SystemTableText.with(
        text,
        tokens,
        currentSchema,
        (schema, table) -> named(schema, table).map(StorageTable::declared));
  }

  /** Its rows, as a query. */
  String query(DnGroups dns) {
    JsonTable table = new JsonTable();
    for (Column column : columns) {
      if (column.characters() == 0) {
        table.of(column.name(), "BIGINT");
      } else {
        table.text(column.name(), column.characters());
      }
    }
    rows(dns).forEach(table::row);
    return table.query();
  }

  private List<List<@Nullable Object>> rows(DnGroups dns) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    List<Runnable> waits = new ArrayList<>();
    dns.dns()
        .forEach((dn, members) -> {
          Supplier<List<MemberAnswer>> answers = MemberAnswer.begin(members);
          Supplier<List<MemberAnswer>> learners = MemberAnswer.begin(members, members.learners());
          waits.add(() -> add(dn, members, answers.get(), learners.get(), dns.zone(), rows));
        });
    waits.forEach(Runnable::run);
    return rows;
  }

  private void add(
      DnId dn,
      DnMembers members,
      List<MemberAnswer> answers,
      List<MemberAnswer> learners,
      UnaryOperator<String> zone,
      List<List<@Nullable Object>> rows) {
    switch (this) {
      case STORAGE -> rows.add(dn(dn, members, answers));
      case STORAGE_REPLICAS -> {
        answers.forEach(answer -> rows.add(replica(dn, members, answer, role(answer), zone)));
        learners.forEach(answer -> rows.add(replica(dn, members, answer, "LEARNER", zone)));
        loggers(dn, answers, zone, rows);
      }
    }
  }

  private static List<@Nullable Object> dn(DnId dn, DnMembers members, List<MemberAnswer> answers) {
    Optional<MemberAnswer> leader = answers.stream().filter(MemberAnswer::leads).findFirst();
    Optional<MemberStatus> status = leader.flatMap(MemberAnswer::status);
    List<MemberStatus.Voter> loggers = status.map(StorageTable::loggers).orElse(List.of());
    long alive =
        answers.stream().filter(answer -> answer.status().isPresent()).count()
            + loggers.stream().filter(StorageTable::answers).count();
    int all = answers.size() + loggers.size();
    return Arrays.asList(
        dn,
        leader.map(MemberAnswer::name).orElse(null),
        leader.map(answer -> members.address(answer.name())).orElse(null),
        leader.isPresent() && alive == all ? "true" : "false",
        status.map(MemberStatus::term).filter(term -> term > 0).orElse(null),
        all,
        alive);
  }

  private static List<MemberStatus.Voter> loggers(MemberStatus leader) {
    return leader.voters().stream().filter(voter -> !voter.keepsRows()).toList();
  }

  private static boolean answers(MemberStatus.Voter voter) {
    return voter.silentMillis() < SILENT_MILLIS;
  }

  private static String role(MemberAnswer answer) {
    return answer.status().map(is -> is.leads() ? "LEADER" : "FOLLOWER").orElse("UNKNOWN");
  }

  private static List<@Nullable Object> replica(
      DnId dn, DnMembers members, MemberAnswer answer, String role, UnaryOperator<String> zone) {
    Optional<MemberStatus> status = answer.status();
    Optional<MemberStatus.Cloning> cloning =
        status.map(MemberStatus::cloning).filter(clone -> !clone.donor().isEmpty());
    return Arrays.asList(
        dn,
        answer.name(),
        role,
        answer.state(),
        status.map(MemberStatus::term).filter(term -> term > 0).orElse(null),
        members.address(answer.name()),
        status.map(MemberStatus::committed).filter(index -> index >= 0).orElse(null),
        status.map(MemberStatus::unapplied).filter(count -> count >= 0).orElse(null),
        status.map(MemberStatus::lagMillis).orElse(null),
        status.map(MemberStatus::error).orElse(answer.error()),
        cloning.map(MemberStatus.Cloning::donor).orElse(null),
        cloning.map(MemberStatus.Cloning::bytes).orElse(null),
        cloning.map(MemberStatus.Cloning::estimate).orElse(null),
        zone.apply(answer.name()));
  }

  /** They are asked by their leader, whom they answer all the time. */
  private static void loggers(
      DnId dn,
      List<MemberAnswer> answers,
      UnaryOperator<String> zone,
      List<List<@Nullable Object>> rows) {
    answers.stream()
        .filter(MemberAnswer::leads)
        .flatMap(answer -> answer.status().stream())
        .flatMap(leader -> loggers(leader).stream())
        .forEach(logger -> {
          boolean answering = answers(logger);
          rows.add(
              Arrays.asList(
                  dn,
                  logger.name(),
                  "LOGGER",
                  answering ? MemberStatus.FOLLOWING : MemberAnswer.SILENT,
                  null,
                  null,
                  null,
                  null,
                  null,
                  answering ? "" : "no answer for " + logger.silentMillis() + " ms",
                  null,
                  null,
                  null,
                  zone.apply(logger.name())));
        });
  }
}
