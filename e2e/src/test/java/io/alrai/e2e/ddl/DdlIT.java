package io.alrai.e2e.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.ddl.DdlExecutor;
import io.alrai.cn.ddl.job.ColumnIndexBuilds;
import io.alrai.cn.ddl.job.DdlOutcome;
import io.alrai.cn.ddl.job.DdlSession;
import io.alrai.cn.ddl.job.JobsAtWork;
import io.alrai.cn.ddl.job.SqlWarning;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.PartitionGroup;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.node.DataNode;
import io.alrai.gms.client.LocalGms;
import io.alrai.optimizer.api.inspect.DdlText;
import io.alrai.testing.PlainMysqld;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** DDL statements over two real mysqlds, without a CN around them. */
class DdlIT {
  private static final DnId FIRST = new DnId("dn-1");
  private static final DnId SECOND = new DnId("dn-2");

  private static final SortedMap<DnId, PlainMysqld> SERVERS = new TreeMap<>();

  private final LocalGms gms = new LocalGms();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final JdbcDdlShards shards = new JdbcDdlShards(urls());
  private final DdlExecutor executor =
      new DdlExecutor(
          gms,
          shards,
          new NodeId("cn-1"),
          threads,
          ColumnIndexBuilds.NOBODY,
          sequence -> gms.reserve(sequence, 1).first(),
          new JobsAtWork(System::nanoTime, () -> 0, () -> {}));

  @BeforeAll
  static void start() {
    SERVERS.put(FIRST, PlainMysqld.start());
    SERVERS.put(SECOND, PlainMysqld.start());
  }

  @AfterAll
  static void stop() {
    SERVERS.values().forEach(PlainMysqld::close);
    SERVERS.clear();
  }

  private static SortedMap<DnId, String> urls() {
    SortedMap<DnId, String> urls = new TreeMap<>();
    SERVERS.forEach(
        (dn, server) -> urls.put(dn, "jdbc:mysql://127.0.0.1:" + server.port() + "/?user=root"));
    return urls;
  }

  @BeforeEach
  void makeSchema() {
    shards.dns().forEach(dn -> gms.submit(new CatalogCommand.PutDataNode(new DataNode(dn, "x"))));
    run("CREATE DATABASE shop DEFAULT PARTITIONS 4");
  }

  @AfterEach
  void dropSchema() {
    run("DROP DATABASE IF EXISTS shop");
    threads.close();
  }

  private DdlOutcome run(String sql) {
    DdlSession session =
        new DdlSession("shop", Map.of("sql_mode", "'STRICT_TRANS_TABLES'"), "root", "%", Set.of());
    return executor.run(DdlText.parse(sql).orElseThrow(), session);
  }

  private int errno(String sql) {
    return assertThrows(AlraiException.class, () -> run(sql)).errno();
  }

  private Table table(String name) {
    return gms.catalog().table("shop", name).orElseThrow();
  }

  private String stem() {
    return gms.catalog().schema("shop").orElseThrow().stem();
  }

  /** The schemas of all DNs in which there is a table of that name. */
  private List<String> schemasWith(String table) {
    List<String> found = new ArrayList<>();
    for (DnId dn : shards.dns()) {
      shards
          .query(
              dn,
              "SELECT TABLE_SCHEMA FROM information_schema.TABLES WHERE TABLE_NAME = '"
                  + table
                  + "' AND TABLE_SCHEMA REGEXP '^(shop|a[0-9]+_(b|p[0-9]+))$' ORDER BY 1")
          .forEach(row -> found.add(dn + "/" + row.getFirst()));
    }
    return found;
  }

  private void on(PartitionGroup place, String sql) throws SQLException {
    try (Connection connection = shards.connect(place.dn());
        Statement statement = connection.createStatement()) {
      statement.execute("USE " + place.physicalSchema().quoted());
      statement.execute(sql);
    }
  }

  @Test
  void tableIsEverywhere() {
    DdlOutcome outcome =
        run(
            "CREATE TABLE t (id INT(11) AUTO_INCREMENT PRIMARY KEY, v VARCHAR(9)) AUTO_INCREMENT=50");
    assertEquals(1681, outcome.warnings().getFirst().errno());
    assertEquals(new Partitioning.Key(List.of("id"), 4), table("t").partitioning());
    assertEquals(
        List.of(
            "dn-1/" + stem() + "_p00001",
            "dn-1/" + stem() + "_p00003",
            "dn-1/shop",
            "dn-2/" + stem() + "_p00002",
            "dn-2/" + stem() + "_p00004",
            "dn-2/shop"),
        schemasWith("t"));
    assertEquals(50, gms.reserve(table("t").sequence(), 1).first());
    run("DROP TABLE t");
    assertEquals(List.of(), schemasWith("t"));
    assertTrue(gms.catalog().table("shop", "t").isEmpty());
  }

  @Test
  void refusedTextLeavesNothing() {
    assertEquals(1064, errno("CREATE TABLE t (id INT,,)"));
    assertEquals(1072, errno("CREATE TABLE t (id INT, PRIMARY KEY (x))"));
    assertEquals(1503, errno("CREATE TABLE t (id INT PRIMARY KEY, b INT) PARTITION BY KEY (b)"));
    assertEquals(1659, errno("CREATE TABLE t (a TIMESTAMP) PARTITION BY KEY (a)"));
    assertEquals(1103, errno("CREATE TABLE `bad ` (id INT)"));
    assertEquals(1102, errno("CREATE DATABASE `bad `"));
    assertEquals(List.of(), schemasWith("t"));
    assertTrue(gms.catalog().jobs().values().stream().noneMatch(job -> job.open()));
  }

  @Test
  void otherEnginesAreReplacedByInnoDb() {
    String disabled = "Storage engine MyISAM is disabled (Table creation is disallowed).";
    DdlOutcome made =
        run(
            "CREATE TABLE t (id INT PRIMARY KEY, engine TEXT, FULLTEXT (engine)) ENGINE = `myisam`");
    assertEquals(
        List.of(
            new SqlWarning("Warning", 3161, disabled),
            new SqlWarning("Warning", 1266, "Using storage engine InnoDB for table 't'")),
        made.warnings());
    assertEquals(
        List.of(3161, 1266, 1050),
        run("CREATE TABLE IF NOT EXISTS t (id INT) ENGINE=MyISAM").warnings().stream()
            .map(SqlWarning::errno)
            .toList());
    DdlOutcome altered = run("ALTER TABLE t ADD COLUMN x INT, ENGINE=MEMORY COMMENT='c'");
    assertEquals(
        List.of(new SqlWarning("Warning", 1286, "Unknown storage engine 'MEMORY'")),
        altered.warnings());
    for (DnId dn : shards.dns()) {
      assertEquals(
          List.of(List.of("InnoDB", "c")),
          shards.query(
              dn,
              "SELECT DISTINCT ENGINE, TABLE_COMMENT FROM information_schema.TABLES"
                  + " WHERE TABLE_NAME = 't'"));
    }
    assertEquals(
        1075, errno("CREATE TABLE u (a INT, b INT AUTO_INCREMENT, KEY (a, b)) ENGINE=CSV"));
    assertEquals(List.of(), schemasWith("u"));
  }

  @Test
  void implicitKeyLeavesLastInsertIdAlone() throws SQLException {
    run("CREATE TABLE t (a INT, b TEXT)");
    run("CREATE TABLE u (a INT AUTO_INCREMENT, KEY (a))");
    assertEquals(new Partitioning.Spread(4), table("t").partitioning());
    PartitionGroup place = places("t").getFirst();
    try (Connection connection = shards.connect(place.dn());
        Statement statement = connection.createStatement()) {
      statement.execute("USE " + place.physicalSchema().quoted());
      statement.execute("INSERT INTO u VALUES (7)");
      statement.execute("INSERT INTO t VALUES (1, 'x'), (2, 'y')");
      try (ResultSet id = statement.executeQuery("SELECT LAST_INSERT_ID()")) {
        assertTrue(id.next());
        assertEquals(0, id.getLong(1));
      }
    }
    assertEquals(
        List.of(List.of("1", "x"), List.of("2", "y")),
        shards.query(
            place.dn(), "SELECT * FROM " + place.physicalSchema().quoted() + ".t ORDER BY a"));
  }

  @Test
  void broadcastAndSingle() {
    run("CREATE TABLE b (id INT PRIMARY KEY) BROADCAST");
    run("CREATE TABLE s (id INT PRIMARY KEY) SINGLE");
    run("CREATE TABLE c (id INT PRIMARY KEY, sid INT, FOREIGN KEY (sid) REFERENCES s (id))");
    String copies = stem() + "_b";
    assertEquals(
        List.of("dn-1/" + copies, "dn-1/shop", "dn-2/" + copies, "dn-2/shop"), schemasWith("b"));
    assertEquals(new Partitioning.Single(), table("c").partitioning());
    assertEquals(schemasWith("s"), schemasWith("c"));
    assertEquals(3730, errno("DROP TABLE s"));
    run("DROP TABLE s, c");
    assertEquals(List.of(), schemasWith("s"));
  }

  @Test
  void likeCopiesPlacement() {
    run("CREATE TABLE a (x INT, y INT, PRIMARY KEY (x, y)) PARTITION BY KEY (y) PARTITIONS 3");
    run("CREATE TABLE b LIKE a");
    assertEquals(table("a").partitioning(), table("b").partitioning());
    assertEquals(table("a").tableGroupId(), table("b").tableGroupId());
    assertEquals(schemasWith("a"), schemasWith("b"));
  }

  @Test
  void shadowAccountSeesLogicalSchemasOnly() {
    List<List<String>> grants = shards.query(FIRST, "SHOW GRANTS FOR 'alrai_meta'@'localhost'");
    assertTrue(grants.toString().contains("ON `shop`.*"), grants::toString);
    run("DROP DATABASE shop");
    grants = shards.query(FIRST, "SHOW GRANTS FOR 'alrai_meta'@'localhost'");
    assertTrue(!grants.toString().contains("shop"), grants::toString);
  }

  private List<PartitionGroup> places(String table) {
    return gms.catalog().tableGroup(table(table)).partitionGroups();
  }

  /** Rows that a unique key over p and v, and a conversion of v, refuse in one partition only. */
  private void oneBadPartition() throws SQLException {
    for (PartitionGroup place : places("t")) {
      on(place, "INSERT INTO t (p, v, x) VALUES (" + place.index() + ", '7', 8)");
    }
    on(places("t").getLast(), "INSERT INTO t (p, v, x) VALUES (1, 'same', 9), (1, 'same', 10)");
  }

  /** SHOW CREATE TABLE at all places, without what is hidden. */
  private List<String> definitions(String table) {
    List<String> found = new ArrayList<>();
    for (String schema : schemasWith(table)) {
      String[] place = schema.split("/");
      String text =
          shards
              .query(new DnId(place[0]), "SHOW CREATE TABLE " + place[1] + "." + table)
              .getFirst()
              .get(1);
      found.add(
          schema
              + text.replaceAll(" AUTO_INCREMENT=\\d+", "")
                  .replaceAll("\n  (PRIMARY KEY \\()?`__alrai_id`.*", ""));
    }
    return found;
  }

  private List<List<String>> rows(String table) {
    List<List<String>> rows = new ArrayList<>();
    for (PartitionGroup place : places(table)) {
      rows.addAll(
          shards.query(
              place.dn(),
              "SELECT * FROM " + place.physicalSchema().quoted() + "." + table + " ORDER BY p"));
    }
    return rows;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ADD UNIQUE KEY k (p, v), ADD COLUMN id2 INT NOT NULL DEFAULT 5 FIRST",
        "ADD UNIQUE KEY k (p, v), RENAME COLUMN x TO xx, RENAME INDEX kx TO ky,"
            + " ADD COLUMN g INT AS (length(v)) STORED",
        "ADD UNIQUE KEY k (p, v), MODIFY w BIGINT NOT NULL DEFAULT 4 FIRST,"
            + " DROP CHECK positive, ADD CONSTRAINT other CHECK (w < 100000), DROP KEY kx",
        "ADD UNIQUE KEY k (p, v), CONVERT TO CHARACTER SET latin1, COMMENT='x' STATS_PERSISTENT=1",
        "MODIFY v INT, DROP COLUMN x",
        "DROP COLUMN x, ADD UNIQUE KEY k (p, v)",
      })
  void failureOfOnePartitionIsUndone(String actions) throws SQLException {
    run(
        "CREATE TABLE t (p INT NOT NULL, v VARCHAR(20), w INT DEFAULT 3, x INT, KEY kx (x),"
            + " CONSTRAINT positive CHECK (w > 0)) PARTITION BY KEY (p)");
    oneBadPartition();
    List<String> definitions = definitions("t");
    List<List<String>> rows = rows("t");
    int errno = errno("ALTER TABLE t " + actions);
    assertTrue(errno == 1062 || errno == 1366, "error " + errno);
    assertEquals(definitions, definitions("t"));
    assertEquals(rows, rows("t"));
  }

  @Test
  void alterations() throws SQLException {
    run(
        "CREATE TABLE t (p INT NOT NULL, v VARCHAR(20), w INT DEFAULT 3, x INT, KEY kx (x))"
            + " PARTITION BY KEY (p)");
    oneBadPartition();
    run("ALTER TABLE t ADD COLUMN y INT DEFAULT 11, DROP COLUMN x, MODIFY v VARCHAR(40)");
    run("CREATE INDEX kv ON t (v(3)) COMMENT 'c' ALGORITHM=INPLACE LOCK=NONE");
    assertEquals(6, run("ALTER TABLE t MODIFY w BIGINT").affectedRows());
    run("ALTER TABLE t RENAME COLUMN p TO q");
    run("ALTER TABLE t COMMENT 'it''s'");
    assertEquals(new Partitioning.Key(List.of("q"), 4), table("t").partitioning());
    List<String> logical = definitions("t");
    assertTrue(
        logical.getFirst().contains("`q` int NOT NULL")
            && logical.getFirst().contains("`y` int DEFAULT '11'")
            && logical.getFirst().contains("KEY `kv` (`v`(3)) COMMENT 'c'")
            && !logical.getFirst().contains("`x`"),
        logical::getFirst);
    assertEquals(
        1,
        logical.stream()
            .map(text -> text.substring(text.indexOf("CREATE TABLE")))
            .distinct()
            .count(),
        logical::toString);
    assertEquals(1091, errno("ALTER TABLE t DROP KEY nope"));
    assertEquals(1064, errno("ALTER TABLE t ADD KEY"));
    run("ALTER TABLE t RENAME TO u");
    run("TRUNCATE TABLE u");
    assertEquals(List.of(), shards.query(places("u").getLast().dn(), "SELECT * FROM shop.u"));
    assertEquals(schemasWith("u").size(), 6);
  }

  @Test
  void swapOfTables() throws SQLException {
    run("CREATE TABLE a (p INT PRIMARY KEY)");
    run("CREATE TABLE b (p INT PRIMARY KEY, q INT) PARTITION BY HASH (p) PARTITIONS 2");
    run("CREATE TABLE c (p INT PRIMARY KEY, r INT)");
    on(places("a").getFirst(), "INSERT INTO a VALUES (1)");
    run("RENAME TABLE a TO x, b TO a, c TO b, x TO c");
    assertEquals(List.of(List.of("1")), rows("c"));
    assertEquals(new Partitioning.Hash("p", 2), table("a").partitioning());
    assertTrue(table("b").column("r").isPresent());
    assertEquals(List.of(), schemasWith("x"));
  }

  @Test
  void parentsAndChildrenInOneGroup() {
    run("CREATE TABLE parent (a INT, b INT, PRIMARY KEY (a, b)) PARTITION BY KEY (a)");
    run(
        "CREATE TABLE child (id INT, a INT, b INT, PRIMARY KEY (id, a),"
            + " CONSTRAINT f FOREIGN KEY (a, b) REFERENCES parent (a, b))");
    assertEquals(new Partitioning.Key(List.of("a"), 4), table("child").partitioning());
    run("CREATE TABLE other (id INT PRIMARY KEY) PARTITION BY KEY ()");
    assertEquals(
        1235,
        errno(
            "CREATE TABLE bad (id INT PRIMARY KEY, a INT, FOREIGN KEY (a) REFERENCES other (id))"));
    run("ALTER TABLE parent RENAME COLUMN a TO aa");
    run("RENAME TABLE parent TO mother");
    assertTrue(
        definitions("child").stream()
            .allMatch(text -> text.contains("REFERENCES `mother` (`aa`, `b`)")),
        () -> definitions("child").toString());
    assertEquals(1701, errno("TRUNCATE TABLE mother"));
    assertEquals(3730, errno("DROP TABLE mother"));
  }

  @Test
  void autoIncrementFromAlter() throws SQLException {
    run("CREATE TABLE t (p INT PRIMARY KEY)");
    on(places("t").getLast(), "INSERT INTO t VALUES (500)");
    run("ALTER TABLE t MODIFY p INT AUTO_INCREMENT");
    assertEquals(501, gms.reserve(table("t").sequence(), 1).first());
    run("ALTER TABLE t AUTO_INCREMENT = 1000");
    assertEquals(1000, gms.reserve(table("t").sequence(), 1).first());
  }

  /** Statements on different tables of a schema run side by side, and share what they make. */
  @Test
  void concurrentStatements() throws Exception {
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      String name = "c" + i;
      running.add(
          threads.submit(() -> {
            run("CREATE TABLE " + name + " (a INT PRIMARY KEY, b INT) PARTITION BY HASH (a)");
            run("ALTER TABLE " + name + " ADD INDEX (b), ADD COLUMN c INT");
            run("RENAME TABLE " + name + " TO " + name + "_new");
            run("TRUNCATE " + name + "_new");
          }));
    }
    for (Future<?> each : running) {
      each.get();
    }
    assertEquals(
        1,
        gms.catalog().schema("shop").orElseThrow().tables().values().stream()
            .map(Table::tableGroupId)
            .distinct()
            .count());
    assertEquals(6, schemasWith("c3_new").size());
    assertEquals(
        definitions("c1_new").toString().replace("c1_new", "x"),
        definitions("c4_new").toString().replace("c4_new", "x"));
  }
}
