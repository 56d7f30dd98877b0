package io.alrai.cn.ddl;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.alrai.cn.ddl.job.TableText;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** As much of a mysqld as DDL jobs touch: schemas, tables, atomic statements. */
public final class FakeMysqld {
  private static final String NAME = "`([^`]+)`";
  private static final Pattern CREATE =
      Pattern.compile("CREATE TABLE (?:`[^`]+`\\.)?" + NAME + " ?\\((.*)\\)[^)]*", Pattern.DOTALL);
  private static final Pattern LIKE =
      Pattern.compile("CREATE TABLE " + NAME + " LIKE (?:" + NAME + "\\.)?" + NAME);
  private static final Pattern TABLE = Pattern.compile("(?:" + NAME + "\\.)?" + NAME);
  private static final Pattern FROM = Pattern.compile("FROM " + NAME + "\\." + NAME + "$");
  private static final Pattern GRANTED = Pattern.compile(" ON " + NAME + "\\.\\* ");
  private static final Pattern STRING = Pattern.compile("(_utf8mb4 x)?'([^']*)'");

  private static final Pattern TRIGGER =
      Pattern.compile(
          "CREATE .*?TRIGGER `?(\\w+)`? .* ON `?(\\w+)`? FOR EACH ROW"
              + "(?: (FOLLOWS|PRECEDES) `?(\\w+)`?)? .*");

  private static final Pattern ROUTINE =
      Pattern.compile("CREATE .*?(PROCEDURE|FUNCTION) `?(\\w+)`? ?\\(.*", Pattern.DOTALL);

  private static final Pattern ROUTINE_NAMED =
      Pattern.compile(
          "(DROP|ALTER) (PROCEDURE|FUNCTION) (?:IF EXISTS )?(?:`(\\w+)`\\.)?`(\\w+)`(.*)");

  private static final Pattern VIEW =
      Pattern.compile("(CREATE OR REPLACE|ALTER)\\b.*? VIEW " + NAME + "\\." + NAME + " (.*)");
  private static final String VIEW_HEAD =
      "CREATE ALGORITHM=UNDEFINED DEFINER=`root`@`%` SQL SECURITY DEFINER VIEW ";

  final TreeMap<String, TreeMap<String, FakeTable>> schemas = new TreeMap<>();

  /** What follows the names of views, by {@code `schema`.`name`}. */
  final TreeMap<String, String> views = new TreeMap<>();

  /** {@code schema.kind name}, with what they were altered to. */
  final TreeMap<String, String> routines = new TreeMap<>();

  /** The variable automatic_sp_privileges. */
  public boolean automaticPrivileges = true;

  /** Locked accounts for definers. */
  final TreeSet<String> definers = new TreeSet<>();

  /** What is granted to the shadows' account, as the grants name it. */
  public final TreeSet<String> grants = new TreeSet<>();

  /** Collations of schemas that have been altered. */
  final TreeMap<String, String> collations = new TreeMap<>();

  /** Says of a schema and a statement whether the data there make it fail. */
  public BiPredicate<String, String> fails = (schema, sql) -> false;

  /** Whether it cannot be reached. */
  volatile boolean lost;

  private long nextId = 1;

  void execute(String current, String sql) {
    if (lost) {
      throw new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, "the DN cannot be reached");
    }
    if (fails.test(current, sql)) {
      throw error(1062, "Duplicate entry '1' for key '" + current + ".k'");
    }
    Matcher view = VIEW.matcher(sql);
    if (view.matches()) {
      views.put(viewName(view.group(2), view.group(3)), view.group(4));
      return;
    }
    Matcher trigger = TRIGGER.matcher(sql);
    if (trigger.matches()) {
      createTrigger(tables(current), trigger);
      return;
    }
    if (isOfRoutines(current, sql)) {
      return;
    }
    String[] words = sql.split(" ", 3);
    switch (words[0] + " " + words[1]) {
      case "CREATE DATABASE" ->
          schemas.computeIfAbsent(lastName(words[2], "IF NOT EXISTS "), n -> new TreeMap<>());
      case "ALTER DATABASE" -> {
        tables(lastName(words[2], ""));
        collations.put(lastName(words[2], ""), words[2].substring(words[2].lastIndexOf(' ') + 1));
      }
      case "DROP DATABASE" -> {
        schemas.remove(lastName(words[2], "IF EXISTS "));
        routines.keySet().removeIf(name -> name.startsWith(lastName(words[2], "IF EXISTS ") + "."));
        views
            .keySet()
            .removeIf(name -> name.startsWith(viewName(lastName(words[2], "IF EXISTS "), "")));
      }
      case "DROP VIEW" -> {
        Matcher names = TABLE.matcher(words[2]);
        while (names.find()) {
          views.remove(viewName(names.group(1) == null ? current : names.group(1), names.group(2)));
        }
      }
      case "CREATE TABLE" -> create(tables(current), sql, current);
      case "DROP TABLE" -> drop(current, words[2]);
      case "TRUNCATE TABLE" -> truncate(tables(current), lastName(words[2], ""));
      case "RENAME TABLE" -> rename(tables(current), words[2]);
      case "ALTER TABLE" -> alter(tables(current), words[2]);
      case "DROP TRIGGER" -> {
        String name = lastName(words[2], "IF EXISTS ");
        tables(current).values().forEach(table -> table.triggers.removeIf(name::equalsIgnoreCase));
      }
      case "GRANT SELECT," -> grants.add(granted(sql));
      case "REVOKE IF" -> grants.remove(granted(sql));
      case "GRANT 'alrai_meta'@'localhost'", "SET DEFAULT" -> {}
      case "CREATE USER" -> definers.add(words[2]);
      case "INSERT INTO" -> insert(tables(current), words[2]);
      default -> throw new IllegalArgumentException("the fake does not know " + sql);
    }
  }

  private static String granted(String sql) {
    Matcher granted = GRANTED.matcher(sql);
    if (!granted.find()) {
      throw error(1064, sql);
    }
    return granted.group(1);
  }

  /** Rows that come from a table of another schema, or as values. */
  private void insert(TreeMap<String, FakeTable> tables, String text) {
    boolean values = text.contains(") VALUES (");
    if (values || FROM.matcher(text).find()) {
      existing(tables, FakeTable.nameIn(text)).rows +=
          values ? text.split("\\),\\(").length : rowsOf(text);
    }
  }

  /** How many rows the table has that is named last, with its schema. */
  int rowsOf(String text) {
    Matcher from = FROM.matcher(text);
    return from.find() ? existing(tables(from.group(1)), from.group(2)).rows : 0;
  }

  private boolean isOfRoutines(String current, String sql) {
    Matcher created = ROUTINE.matcher(sql);
    Matcher named = ROUTINE_NAMED.matcher(sql);
    if (created.matches()) {
      tables(current);
      String kind = created.group(1);
      if (kind.equals("FUNCTION") && definers.isEmpty()) {
        throw error(1449, "The user specified as a definer does not exist");
      }
      if (routines.putIfAbsent(current + "." + kind + " " + created.group(2), "") != null) {
        throw error(1304, kind + " " + created.group(2) + " already exists");
      }
      return true;
    }
    if (!named.matches()) {
      return false;
    }
    String routine = named.group(2) + " " + named.group(4);
    if (named.group(1).equals("DROP")) {
      routines.remove(current + "." + routine);
    } else {
      routines.put(named.group(3) + "." + routine, named.group(5));
    }
    return true;
  }

  /** Those that fill the implicit key come with their table and are not looked at. */
  private static void createTrigger(TreeMap<String, FakeTable> tables, Matcher text) {
    String name = text.group(1);
    if (name.startsWith("__alrai_key_")) {
      return;
    }
    if (tables.values().stream().anyMatch(table -> table.triggers.contains(name))) {
      throw error(1359, "Trigger already exists");
    }
    List<String> triggers = existing(tables, text.group(2)).triggers;
    int other = 0;
    while (other < triggers.size() && !triggers.get(other).equalsIgnoreCase(text.group(4))) {
      other++;
    }
    triggers.add(
        text.group(3) == null
            ? triggers.size()
            : text.group(3).equals("FOLLOWS") ? other + 1 : other,
        name);
  }

  /** A view's key; without the view's name, how all of the schema's begin. */
  private static String viewName(String schema, String name) {
    return "`" + schema + "`." + (name.isEmpty() ? "" : "`" + name + "`");
  }

  private TreeMap<String, FakeTable> tables(String schema) {
    TreeMap<String, FakeTable> tables = schemas.get(schema);
    if (tables == null) {
      throw error(1049, "Unknown database '" + schema + "'");
    }
    return tables;
  }

  private void create(TreeMap<String, FakeTable> tables, String sql, String current) {
    Matcher like = LIKE.matcher(sql);
    if (like.matches()) {
      String schema = like.group(2) == null ? current : like.group(2);
      putNew(tables, like.group(1), existing(tables(schema), like.group(3)).copy(nextId++));
      return;
    }
    Matcher create = CREATE.matcher(sql);
    if (!create.matches() || create.group(2).contains("nonsense")) {
      throw error(1064, "You have an error in your SQL syntax");
    }
    putNew(tables, create.group(1), FakeTable.of(create.group(2), nextId++));
  }

  private static void putNew(TreeMap<String, FakeTable> tables, String name, FakeTable table) {
    if (tables.putIfAbsent(name, table) != null) {
      throw error(1050, "Table '" + name + "' already exists");
    }
  }

  private static FakeTable existing(TreeMap<String, FakeTable> tables, String name) {
    FakeTable table = tables.get(name);
    if (table == null) {
      throw error(1146, "Table '" + name + "' doesn't exist");
    }
    return table;
  }

  private void drop(String current, String text) {
    Matcher names = TABLE.matcher(text);
    while (names.find()) {
      tables(names.group(1) == null ? current : names.group(1)).remove(names.group(2));
    }
  }

  private void truncate(TreeMap<String, FakeTable> tables, String name) {
    existing(tables, name).rows = 0;
    existing(tables, name).id = nextId++;
  }

  private static void rename(TreeMap<String, FakeTable> tables, String text) {
    TreeMap<String, FakeTable> after = new TreeMap<>(tables);
    for (String pair : FakeTable.split(text)) {
      String[] names = pair.replace("`", "").split(" TO ");
      FakeTable moved = existing(after, names[0]);
      after.remove(names[0]);
      putNew(after, names[1], moved);
    }
    tables.clear();
    tables.putAll(after);
  }

  private static void alter(TreeMap<String, FakeTable> tables, String text) {
    String name = FakeTable.nameIn(text);
    FakeTable table = existing(tables, name);
    FakeTable changed = table.copy(table.id);
    changed.rows = table.rows;
    changed.triggers.addAll(table.triggers);
    FakeTable.split(text.substring(text.indexOf(' ') + 1)).forEach(changed::alter);
    tables.put(name, changed);
  }

  /** Schema and name of the views whose names begin so, perhaps those of one schema. */
  private List<List<String>> viewsNamed(List<String> strings) {
    String prefix = strings.getFirst().replace("\\", "").replace("%", "");
    return views.keySet().stream()
        .map(name -> List.of(name.substring(1, name.length() - 1).split("`\\.`")))
        .filter(name -> name.getLast().startsWith(prefix))
        .filter(name -> strings.size() == 1 || name.getFirst().equals(strings.getLast()))
        .toList();
  }

  /** What information_schema tells of views, triggers and routines; empty for nothing. */
  private List<List<String>> program(String sql, List<String> strings) {
    if (sql.contains("information_schema.VIEWS")) {
      return List.of(List.of("YES"));
    }
    if (sql.contains("information_schema.TRIGGERS")) {
      return List.of(List.of("ANSI_QUOTES", "utf8mb4", "utf8mb4_0900_ai_ci"));
    }
    if (sql.contains("information_schema.ROUTINES")) {
      String altered = routines.get(strings.get(1) + "." + strings.get(0) + " " + strings.get(2));
      return List.of(List.of(altered.contains("INVOKER") ? "INVOKER" : "DEFINER"));
    }
    return List.of();
  }

  private static List<List<String>> call(String function) {
    if (function.startsWith("stored_")) {
      throw error(1305, "FUNCTION information_schema." + function + " does not exist");
    }
    return List.of();
  }

  private static List<String> strings(String sql) {
    List<String> strings = new ArrayList<>();
    Matcher matcher = STRING.matcher(sql);
    while (matcher.find()) {
      if (!matcher.group(2).isEmpty()) {
        strings.add(
            matcher.group(1) == null
                ? matcher.group(2)
                : new String(HexFormat.of().parseHex(matcher.group(2)), UTF_8));
      }
    }
    return strings;
  }

  private List<List<String>> showCreate(String sql) {
    if (sql.startsWith("SHOW CREATE VIEW ")) {
      String name = sql.substring("SHOW CREATE VIEW ".length());
      String definition = VIEW_HEAD + name + " " + views.get(name);
      return List.of(List.of(name, definition, "utf8mb4", "utf8mb4_0900_ai_ci"));
    }
    Matcher name = TABLE.matcher(sql);
    if (!name.find()) {
      return List.of();
    }
    TreeMap<String, FakeTable> tables = tables(name.group(1));
    return List.of(
        sql.startsWith("SHOW CREATE TRIGGER ")
            ? trigger(tables, name.group(2))
            : List.of(name.group(2), existing(tables, name.group(2)).showCreate(name.group(2))));
  }

  List<List<String>> query(String sql) {
    List<String> strings = strings(sql);
    if (sql.startsWith("SHOW CREATE ")) {
      return showCreate(sql);
    }
    if (sql.equals("SELECT @@GLOBAL.automatic_sp_privileges")) {
      return List.of(List.of(automaticPrivileges ? "1" : "0"));
    }
    if (sql.startsWith("SELECT Db FROM mysql.db ")) {
      return grants.stream().map(List::of).toList();
    }
    if (sql.endsWith("()")) {
      return call(sql.substring("SELECT ".length(), sql.length() - 2));
    }
    if (sql.contains("REFERENTIAL_CONSTRAINTS")) {
      return foreignKeys(schemas.getOrDefault(strings.getFirst(), new TreeMap<>()));
    }
    if (sql.startsWith("SELECT COUNT(*)")) {
      return List.of(List.of(String.valueOf(rowsOf(sql))));
    }
    if (sql.contains("information_schema.VIEWS WHERE TABLE_NAME LIKE")) {
      return viewsNamed(strings);
    }
    List<List<String>> program = program(sql, strings);
    if (!program.isEmpty()) {
      return program;
    }
    if (sql.contains("COLUMN_NAME FROM information_schema.COLUMNS") && strings.size() == 2) {
      if (views.containsKey(viewName(strings.get(0), strings.get(1)))) {
        return List.of(List.of("id"));
      }
    }
    if (sql.contains("DEFAULT_CHARACTER_SET_NAME")) {
      String collation = collations.getOrDefault(strings.getFirst(), "utf8mb4_0900_ai_ci");
      return List.of(List.of("utf8mb4", collation.replace("`", "")));
    }
    if (sql.contains("SCHEMATA")) {
      return schemata(sql, strings);
    }
    if (sql.contains("INNODB_TABLES")) {
      String[] names = strings.getFirst().split("/");
      FakeTable table = tables(names[0]).get(names[1]);
      return table == null ? List.of() : List.of(List.of(String.valueOf(table.id)));
    }
    if (sql.contains("MAX(")) {
      return List.of(List.of("0"));
    }
    TreeMap<String, FakeTable> inSchema = schemas.get(strings.get(0));
    FakeTable table = inSchema == null ? null : inSchema.get(strings.get(1));
    if (table == null) {
      return List.of();
    }
    if (sql.contains("information_schema.COLUMNS")) {
      return table.columnRows();
    }
    return sql.contains("STATISTICS") ? table.keyRows() : List.of(List.of(strings.get(1)));
  }

  private List<List<String>> schemata(String sql, List<String> strings) {
    boolean begins = sql.contains("LEFT(SCHEMA_NAME");
    return schemas.keySet().stream()
        .filter(name ->
            strings.isEmpty()
                || strings.contains(name)
                || begins && name.startsWith(strings.getLast()))
        .map(List::of)
        .toList();
  }

  /** A row of SHOW CREATE TRIGGER; the body is not kept. */
  private static List<String> trigger(TreeMap<String, FakeTable> tables, String name) {
    for (Map.Entry<String, FakeTable> table : tables.entrySet()) {
      if (table.getValue().triggers.contains(name)) {
        String text = "CREATE TRIGGER %s BEFORE INSERT ON `%s` FOR EACH ROW DO 1";
        return List.of(name, "", text.formatted(name, table.getKey()));
      }
    }
    throw error(1360, "Trigger does not exist");
  }

  /** Child and parent of each. */
  private static List<List<String>> foreignKeys(TreeMap<String, FakeTable> tables) {
    List<List<String>> rows = new ArrayList<>();
    tables.forEach((child, table) ->
        TableText.of(table.showCreate(child))
            .foreignKeys()
            .forEach(key -> rows.add(List.of(child, key.parent()))));
    return rows;
  }

  private static String lastName(String text, String prefix) {
    String rest = text.startsWith(prefix) ? text.substring(prefix.length()) : text;
    return FakeTable.nameIn(rest);
  }

  private static AlraiException error(int errno, String sentence) {
    return AlraiException.fromServer(errno, "HY000", sentence);
  }
}
