package io.alrai.optimizer.parse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.executor.fragment.SqlTemplate.Piece;
import io.alrai.gms.api.Catalog;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.AdminStatement.Assignment;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.AdminStatement.VariableScope;
import io.alrai.optimizer.api.AdminStatement.Wish;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.DdlStatement.RoleChoice;
import io.alrai.optimizer.api.MembersStatement;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.api.token.TemplateWriter;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AdminParserTest {
  private static final Planner.Context CONTEXT =
      new Planner.Context(Catalog.EMPTY, "shop", false, false);

  @Test
  void transactions() {
    assertParsed(new AdminStatement.Begin(Wish.UNSAID, false), "begin work");
    assertParsed(new AdminStatement.Begin(Wish.UNSAID, false), "START TRANSACTION");
    assertParsed(
        new AdminStatement.Begin(Wish.YES, true),
        "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY");
    assertParsed(new AdminStatement.Begin(Wish.NO, false), "START TRANSACTION READ WRITE");
    assertParsed(
        new AdminStatement.Commit(Wish.NO, Wish.NO), "COMMIT WORK AND NO CHAIN NO RELEASE");
    assertParsed(new AdminStatement.Commit(Wish.YES, Wish.UNSAID), "/* x */ commit and chain ;");
    assertParsed(new AdminStatement.Rollback(Wish.UNSAID, Wish.YES), "ROLLBACK RELEASE");
    assertParsed(new AdminStatement.Savepoint("a b"), "SAVEPOINT `a b`");
    assertParsed(new AdminStatement.RollbackToSavepoint("s"), "ROLLBACK WORK TO s");
    assertParsed(new AdminStatement.RollbackToSavepoint("s"), "ROLLBACK TO SAVEPOINT s");
    assertParsed(new AdminStatement.ReleaseSavepoint("s"), "RELEASE SAVEPOINT s");
    assertSyntaxError("START TRANSACTION READ ONLY, READ WRITE", "", 1);
    assertSyntaxError("COMMIT AND CHAIN RELEASE", "RELEASE", 1);
    assertSyntaxError("COMMIT x", "x", 1);
    assertSyntaxError("ROLLBACK TO", "", 1);
  }

  @Test
  void setTransaction() {
    assertParsed(
        new AdminStatement.SetTransaction(
            VariableScope.NEXT, Optional.of("READ-COMMITTED"), Optional.of(true)),
        "SET TRANSACTION ISOLATION LEVEL READ COMMITTED, READ ONLY");
    assertParsed(
        new AdminStatement.SetTransaction(
            VariableScope.SESSION, Optional.of("REPEATABLE-READ"), Optional.empty()),
        "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ");
    assertParsed(
        new AdminStatement.SetTransaction(
            VariableScope.GLOBAL, Optional.empty(), Optional.of(false)),
        "SET GLOBAL TRANSACTION READ WRITE");
    assertSyntaxError("SET TRANSACTION READ", "", 1);
  }

  @Test
  void setNames() {
    assertParsed(new AdminStatement.SetNames("utf8mb4", Optional.empty()), "SET NAMES 'utf8MB4'");
    assertParsed(
        new AdminStatement.SetNames("latin1", Optional.of("latin1_bin")),
        "SET NAMES latin1 COLLATE latin1_bin");
    assertParsed(new AdminStatement.SetNames("", Optional.empty()), "set names default");
    assertParsed(
        new AdminStatement.SetNames("binary", Optional.empty()), "/*!40101 SET NAMES binary */");
    assertParsed(new AdminStatement.SetCharacterSet("cp1251"), "SET CHARACTER SET cp1251");
    assertParsed(new AdminStatement.SetCharacterSet(""), "SET CHARSET DEFAULT");
  }

  /** Whatever stands in quotes, no name and no bare word becomes more than itself in a text. */
  @Test
  void variablesAreNamedByNamesOnly() {
    assertRefused("SET SESSION `sort_buffer_size=262144, @@global.super_read_only` = 1", 1193);
    assertRefused("SET GLOBAL `max_connections; drop database v_p00001; -- ` = 1", 1193);
    assertRefused("SET @@`a b` = 1", 1193);
    assertSyntaxError("SET @@`local`.a = 1", "@@`local`.a = 1", 1);
    assertSyntaxError("SET @a = (SELECT 1) b, @c = 1", "b, @c = 1", 1);
    assertSyntaxError("SET @a = (SELECT 'ä') + 1 FROM t", "FROM t", 1);
    assertSyntaxError("SET @a = (SELECT 1) +", "", 1);
    assertSyntaxError("SET @@global.`local`.a = 1", "`local`.a = 1", 1);
    assertSyntaxError("SET session.a = 1", "session.a = 1", 1);
    assertRefused("SET @@global.`a b` = 1", 1193);
    assertRefused("SET a.`b c` = 1", 1193);
    assertRefused("SET @x = @@`version union all select secret from t`", 1193);
    assertRefused("DO @@global.`version; drop database d`", 1193);
    assertAssigned("SET @@`SQL_Mode` = `ANSI`", "SESSION sql_mode = 'ANSI'");
    assertAssigned(
        "SET sql_mode = `\\', @@global.max_connections=5 -- `",
        "SESSION sql_mode = _utf8mb4"
            + " x'5c272c204040676c6f62616c2e6d61785f636f6e6e656374696f6e733d35202d2d20'");
    assertAssigned(
        "SET a = 1, NAMES 'x\\'y'",
        "SESSION a = 1; SESSION character_set_client = _utf8mb4 x'782779';"
            + " SESSION character_set_results = _utf8mb4 x'782779';"
            + " SESSION character_set_connection = _utf8mb4 x'782779'");
  }

  @Test
  void setVariables() {
    assertAssigned("SET autocommit=0", "SESSION autocommit = 0");
    assertAssigned(
        "SET sql_mode = ANSI, @@session.b := 2, @C := (3, 4) = d, @@GLOBAL.E=f",
        "SESSION sql_mode = 'ANSI'; SESSION b = 2; USER c = (3, 4) = d; GLOBAL e = 'f'");
    assertAssigned("SET GLOBAL a = 1, b = ON", "GLOBAL a = 1; GLOBAL b = 'ON'");
    assertAssigned(
        "SET LOCAL a = DEFAULT, PERSIST b = TRUE", "SESSION a = DEFAULT; PERSIST b = TRUE");
    assertAssigned("SET global = 1", "SESSION global = 1");
    assertAssigned(
        "SET @@transaction_isolation='SERIALIZABLE'",
        "NEXT transaction_isolation = 'SERIALIZABLE'");
    assertAssigned(
        "SET transaction_isolation='SERIALIZABLE'",
        "SESSION transaction_isolation = 'SERIALIZABLE'");
    assertAssigned(
        "SET @old=@@sql_mode, sql_mode=CONCAT(@@session.sql_mode, ',', @old)",
        "USER old = <@@sql_mode>; SESSION sql_mode = CONCAT(<@@SESSION.sql_mode>, ',', <@old>)");
    assertAssigned(
        "SET @`x y` = DATABASE(), @z=?, @a=?",
        "USER x y = <DATABASE>; USER z = <?0>; USER a = <?1>");
    assertAssigned("SET hot.key_buffer_size = 5", "SESSION hot.key_buffer_size = 5");
    assertAssigned("SET @x = foo", "USER x = foo");
    assertAssigned(
        "SET NAMES utf8mb4, time_zone = '+00:00'",
        "SESSION character_set_client = 'utf8mb4'; SESSION character_set_results = 'utf8mb4';"
            + " SESSION character_set_connection = 'utf8mb4'; SESSION time_zone = '+00:00'");
    assertSyntaxError("SET", "", 1);
    assertSyntaxError("SET a", "", 1);
    assertSyntaxError("SET a =", "", 1);
    assertSyntaxError("SET a = 1,\n= 2", "= 2", 2);
    assertRefused("SET PERSIST_ONLY a = 1", 1235);
    assertRefused("SET RESOURCE GROUP g", 1235);
    assertRefused("SET ROLE NONE, r", 1064);
    assertNotHere("SET PASSWORD = 'x'");
  }

  @Test
  void useAndKill() {
    assertParsed(new AdminStatement.Use("a`b"), "USE `a``b`");
    DdlStatement.UserName role = new DdlStatement.UserName("r", "%");
    assertParsed(
        new AdminStatement.SetRole(new RoleChoice.Listed(List.of(role))), "SET ROLE 'r'@'%'");
    assertParsed(
        new AdminStatement.SetRole(new RoleChoice.All(List.of(role))), "SET ROLE ALL EXCEPT r");
    assertParsed(new AdminStatement.SetRole(new RoleChoice.Default()), "set role default");
    assertParsed(new AdminStatement.ShowGrants(role, List.of(role)), "SHOW GRANTS FOR r USING `r`");
    assertParsed(new AdminStatement.ShowCreateUser(role), "SHOW CREATE USER `r`@'%'");
    assertSyntaxError("SHOW CREATE USER", "", 1);
    assertSyntaxError("SHOW CREATE USER user()", "()", 1);
    assertParsed(new AdminStatement.Kill(false, text("5")), "KILL 5");
    assertParsed(new AdminStatement.Kill(true, text("5")), "kill query 5");
    assertParsed(
        new AdminStatement.Kill(
            false,
            new SqlTemplate(List.of(new Piece.Session(SqlTemplate.SessionValue.CONNECTION_ID)))),
        "KILL CONNECTION CONNECTION_ID()");
    assertSyntaxError("KILL", "", 1);
    assertParsed(new AdminStatement.CancelDdl(List.of(7L, 8L)), "CANCEL DDL 7, 8");
    assertParsed(new AdminStatement.CancelDdl(List.of()), "cancel ddl all");
    assertSyntaxError("CANCEL DDL", "", 1);
    assertSyntaxError("CANCEL DDL t", "t", 1);
    assertSyntaxError("USE", "", 1);
    assertSyntaxError("USE a b", "b", 1);
  }

  @Test
  void show() {
    assertParsed(new AdminStatement.ShowProcesslist(true), "SHOW FULL PROCESSLIST");
    assertParsed(
        new AdminStatement.ShowDiagnostics(false, false, 0, Long.MAX_VALUE), "SHOW WARNINGS");
    assertParsed(new AdminStatement.ShowDiagnostics(true, false, 2, 5), "SHOW ERRORS LIMIT 2,5");
    assertParsed(
        new AdminStatement.ShowDiagnostics(false, true, 0, Long.MAX_VALUE),
        "SHOW COUNT(*) WARNINGS");
    assertParsed(new AdminStatement.ShowTopology(Optional.of("d"), "t"), "SHOW TOPOLOGY FROM d.t");
    assertParsed(new AdminStatement.ShowDdl(false), "SHOW DDL");
    assertParsed(new AdminStatement.ShowColumnIndexes(Optional.empty()), "SHOW COLUMNAR INDEX");
    assertParsed(
        new AdminStatement.ShowColumnIndexes(
            Optional.of(new AdminStatement.TableName(Optional.of("d"), "t"))),
        "SHOW COLUMNAR INDEX FROM d.t");
    assertParsed(
        new AdminStatement.CheckColumnIndex(
            "ci", new AdminStatement.TableName(Optional.empty(), "t")),
        "CHECK COLUMNAR INDEX ci ON t");
    assertSyntaxError("CHECK COLUMNAR INDEX ci", "", 1);
    assertParsed(new AdminStatement.ShowNodes(), "SHOW NODES");
    assertParsed(new AdminStatement.ShowStorage(false), "SHOW STORAGE");
    assertParsed(new AdminStatement.ShowStorage(true), "SHOW FULL STORAGE REPLICAS");
    assertShadow("SHOW STORAGE LIKE 'dn\\\\_1'", "SHOW STORAGE LIKE 'dn\\\\_1'");
    assertShadow(
        "SHOW FULL STORAGE REPLICAS WHERE TERM > 1", "SHOW FULL STORAGE REPLICAS WHERE TERM > 1");
    assertSyntaxError("SHOW STORAGE x", "x", 1);
    assertParsed(
        new AdminStatement.OfMembers(new MembersStatement.ChangeLeader("dn-1-b")),
        "alter system change_role node 'dn-1-b' to leader");
    assertParsed(
        new AdminStatement.OfMembers(new MembersStatement.ChangeLeader("dn-1-b")),
        "CALL dbms_consensus.change_leader('dn-1-b')");
    assertParsed(
        new AdminStatement.OfMembers(new MembersStatement.Add("logger-2", "dn-1", false)),
        "alter system add logger 'logger-2' to 'dn-1'");
    assertParsed(
        new AdminStatement.OfMembers(new MembersStatement.Add("dn-1-c", "dn-1", true)),
        "ALTER SYSTEM ADD FOLLOWER 'dn-1-c' TO 'dn-1'");
    assertParsed(
        new AdminStatement.OfMembers(new MembersStatement.Drop("logger-1", "dn-1")),
        "ALTER SYSTEM DROP NODE 'logger-1' FROM 'dn-1'");
    assertSyntaxError("ALTER SYSTEM ADD LEARNER 'a' TO 'dn-1' x", "x", 1);
    assertSyntaxError("ALTER SYSTEM DROP NODE 'a'", "", 1);
    assertParsed(new AdminStatement.ShowTransactions(), "SHOW TRANS");
    assertSyntaxError("SHOW TRANS x", "x", 1);
    assertParsed(new AdminStatement.ShowTrace(), "SHOW TRACE");
    assertSyntaxError("SHOW TRACE x", "x", 1);
    assertShadow("SHOW STORAGE ENGINES", "SHOW STORAGE ENGINES");
    assertShadow("SHOW FULL TABLES FROM d LIKE 'a%'", "SHOW FULL TABLES FROM d LIKE 'a%'");
    assertShadow(
        "SHOW VARIABLES WHERE Variable_name = DATABASE()",
        "SHOW VARIABLES WHERE Variable_name = <DATABASE>");
    assertShadow("DESC t 'a%'", "DESC t 'a%'");
    assertShadow("DESCRIBE d.t", "DESCRIBE d.t");
    assertShadow("HELP 'x'", "HELP 'x'");
    assertSyntaxError("SHOW", "", 1);
  }

  @Test
  void zones() {
    assertParsed(
        new AdminStatement.OfMembers(new MembersStatement.ChangeZone("it's \\ \"z\"")),
        "alter system change_role zone 'it''s \\\\ \"z\"' to leader");
    assertParsed(
        new AdminStatement.OfMembers(new MembersStatement.SetPrimaryZone("")),
        "ALTER SYSTEM SET CONFIG PRIMARY_ZONE = ''");
    assertParsed(
        new AdminStatement.OfMembers(new MembersStatement.GetPrimaryZone()),
        "ALTER SYSTEM GET CONFIG primary_zone");
    assertSyntaxError("ALTER SYSTEM CHANGE_ROLE ZONE 'a' TO FOLLOWER", "FOLLOWER", 1);
    assertSyntaxError("ALTER SYSTEM SET CONFIG PRIMARY_ZONE 'a'", "'a'", 1);
    assertSyntaxError("ALTER SYSTEM SET CONFIG OTHER = 'a'", "SET CONFIG OTHER = 'a'", 1);
  }

  @Test
  void rebuildsOfMembers() {
    assertParsed(
        new AdminStatement.OfMembers(new MembersStatement.Rebuild("dn-1-b", Optional.empty())),
        "ALTER SYSTEM REBUILD NODE 'dn-1-b'");
    assertParsed(
        new AdminStatement.OfMembers(new MembersStatement.Rebuild("dn-1-b", Optional.of("dn-1"))),
        "alter system rebuild node 'dn-1-b' of 'dn-1'");
    assertSyntaxError("ALTER SYSTEM REBUILD NODE 'a' FROM 'b'", "FROM 'b'", 1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ALTER SYSTEM CHANGE_ROLE NODE 'a' TO FOLLOWER; CHANGE_ROLE NODE '..' TO LEADER",
        "ALTER SYSTEM CHANGE_ROLE NODE 'a' TO LEARNER; then ADD FOLLOWER or ADD LEARNER",
        "CALL dbms_consensus.add_follower('127.0.0.1:3'); use ALTER SYSTEM ADD FOLLOWER",
        "CALL DBMS_CONSENSUS.Drop_Learner('127.0.0.1:3'); use ALTER SYSTEM DROP NODE"
      })
  void whatOthersHaveForMembersNamesWhatToUse(String statement) {
    String[] parts = statement.split("; ", 2);
    AlraiException refused = assertThrows(AlraiException.class, () -> parse(parts[0]));
    assertEquals(1235, refused.errno());
    assertTrue(refused.sentence().contains(parts[1]), refused.sentence());
  }

  @Test
  void systemSchemas() {
    assertShadow(
        "SELECT * FROM information_schema.tables WHERE table_schema = DATABASE() LIMIT 5",
        "SELECT * FROM information_schema.tables WHERE table_schema = <DATABASE> LIMIT <?0>");
    assertShadow(
        "SELECT 1 FROM `INFORMATION_SCHEMA`.`COLUMNS` c JOIN mysql.user u ON c.x IN (1,2)",
        "SELECT <?0> FROM `INFORMATION_SCHEMA`.`COLUMNS` c JOIN mysql.user u ON c.x IN (<?1>,<?2>)");
    assertShadow(
        "(SELECT a FROM (SELECT a FROM sys.x, sys.y) d)",
        "(SELECT a FROM (SELECT a FROM sys.x,sys.y) d)");
    assertShadow(
        "WITH c AS (SELECT EXTRACT(DAY FROM d) FROM sys.x) SELECT * FROM c",
        "WITH c AS (SELECT EXTRACT(DAY FROM d) FROM sys.x) SELECT * FROM c");
    assertShadow("TABLE information_schema.engines", "TABLE information_schema.engines");
    assertNotHere("SELECT * FROM t");
    assertNotHere("SELECT 1");
    assertNotHere("SELECT * FROM information_schema.tables, t");
    assertNotHere("SELECT * FROM information_schema.tables WHERE x IN (SELECT a FROM t)");
    assertNotHere("SELECT information_schema.x FROM t");
    assertNotHere("SELECT * FROM t JOIN information_schema.tables");
    Planner.Context system = new Planner.Context(Catalog.EMPTY, "mysql", false, false);
    assertTrue(AdminParser.parse(ShapedText.of("SELECT * FROM user"), system).isPresent());
    assertTrue(AdminParser.parse(ShapedText.of("SELECT * FROM shop.t"), system).isEmpty());
  }

  @Test
  void explain() {
    assertParsed(new AdminStatement.ExplainSharding("SELECT 1"), "EXPLAIN SHARDING SELECT 1");
    assertShadow("EXPLAIN sharding", "EXPLAIN sharding");
    assertNotHere("EXPLAIN SELECT 1");
    assertRefused("EXPLAIN FOR CONNECTION 5", 1235);
    assertSyntaxError("EXPLAIN", "", 1);
    assertRefused("EXPLAIN FORMAT=`DEFAULT` SELECT 1", 1791);
    assertSyntaxError("EXPLAIN FORMAT=DEFAULT SELECT 1", "DEFAULT SELECT 1", 1);
    assertSyntaxError("EXPLAIN FORMAT=_utf8mb4'JSON' TABLE t", "_utf8mb4'JSON' TABLE t", 1);
    ExplainText explained =
        ExplainText.of(ShapedText.of("EXPLAIN FORMAT=TREE SELECT a FROM t WHERE b=5"), CONTEXT)
            .orElseThrow();
    assertEquals("EXPLAIN FORMAT=TREE ", explained.prefix());
    assertEquals("SELECT a FROM t WHERE b=?", explained.statement().shape());
    ExplainText analyzed =
        ExplainText.of(
                ShapedText.of("EXPLAIN/**/ANALYZE -- FOR SCHEMA x\nFORMAT=TREE UPDATE t SET a=1"),
                CONTEXT)
            .orElseThrow();
    assertEquals("EXPLAIN ANALYZE FORMAT=TREE ", analyzed.prefix());
    assertTrue(ExplainText.of(ShapedText.of("EXPLAIN t"), CONTEXT).isEmpty());
    assertTrue(ExplainText.of(ShapedText.of("SELECT 1"), CONTEXT).isEmpty());
  }

  @Test
  void maintenanceAndLocks() {
    TableName a = new TableName(Optional.empty(), "a");
    TableName b = new TableName(Optional.of("d"), "b");
    assertParsed(
        new AdminStatement.TableMaintenance("ANALYZE", List.of(a, b), ""),
        "ANALYZE LOCAL TABLE a, d.b");
    assertParsed(new AdminStatement.ChecksumTables(List.of(a, b), false), "CHECKSUM TABLES a, d.b");
    assertParsed(new AdminStatement.ChecksumTables(List.of(a), false), "CHECKSUM TABLE a EXTENDED");
    assertParsed(new AdminStatement.ChecksumTables(List.of(a), true), "CHECKSUM TABLE a QUICK");
    assertSyntaxError("CHECKSUM TABLE a FAST", "FAST", 1);
    assertParsed(
        new AdminStatement.TableMaintenance("CHECK", List.of(a), "QUICK FAST"),
        "CHECK TABLE a QUICK FAST");
    assertParsed(
        new AdminStatement.LockTables(
            List.of(
                new AdminStatement.TableLock(a, Optional.empty(), false),
                new AdminStatement.TableLock(a, Optional.of("x"), true),
                new AdminStatement.TableLock(b, Optional.of("y"), true))),
        "LOCK TABLES a READ LOCAL, a AS x WRITE, d.b y LOW_PRIORITY WRITE");
    assertSyntaxError("LOCK TABLES a", "", 1);
    assertParsed(
        new AdminStatement.FlushWithReadLock(List.of()), "FLUSH LOCAL TABLES WITH READ LOCK");
    assertParsed(
        new AdminStatement.FlushWithReadLock(List.of(a, b)),
        "FLUSH NO_WRITE_TO_BINLOG TABLE a, d.b WITH READ LOCK");
    assertSyntaxError("FLUSH TABLES WITH LOCK", "LOCK", 1);
    assertSyntaxError("FLUSH TABLES FOR EXPORT", "FOR EXPORT", 1);
    assertRefused("FLUSH TABLES a FOR EXPORT", 1235);
    assertParsed(new AdminStatement.FlushTables(List.of()), "FLUSH TABLES");
    assertParsed(new AdminStatement.FlushTables(List.of(a, b)), "FLUSH TABLES a, d.b");
    assertParsed(new AdminStatement.UnlockTables(), "UNLOCK TABLES");
    assertParsed(new AdminStatement.NoOperation("FLUSH PRIVILEGES"), "FLUSH PRIVILEGES");
    assertParsed(new AdminStatement.LockInstance(), "LOCK INSTANCE FOR BACKUP");
    assertSyntaxError("LOCK INSTANCE", "", 1);
    assertParsed(new AdminStatement.UnlockInstance(), "UNLOCK INSTANCE");
    assertSyntaxError("UNLOCK INSTANCE FOR BACKUP", "FOR BACKUP", 1);
  }

  @Test
  void doEvaluates() {
    assertShadow("DO SLEEP(1), @a", "DO SLEEP(<?0>),<@a>");
    assertNotHere("DO (SELECT 1)");
    assertNotHere("DO 1, (WITH c AS (SELECT 1) TABLE c)");
    assertShadow(
        "DO (SELECT COUNT(*) FROM mysql.time_zone)", "DO (SELECT COUNT(*) FROM mysql.time_zone)");
    assertSyntaxError("DO", "", 1);
  }

  @Test
  void preparedStatements() {
    assertParsed(new AdminStatement.Prepare("S", "SELECT ?", false), "PREPARE S FROM 'SELECT ?'");
    assertParsed(new AdminStatement.Prepare("s", "a", true), "PREPARE s FROM @A");
    assertParsed(new AdminStatement.Execute("s", List.of("a", "b")), "EXECUTE s USING @a, @B");
    assertParsed(new AdminStatement.Execute("s", List.of()), "EXECUTE s");
    assertParsed(new AdminStatement.Deallocate("s"), "DEALLOCATE PREPARE s");
    assertParsed(new AdminStatement.Deallocate("s"), "DROP PREPARE s");
  }

  @Test
  void loadData() {
    assertRefused("LOAD DATA INFILE 'a' INTO TABLE t", 1235);
    assertRefused("LOAD DATA LOCAL INFILE 'a' INTO TABLE t FIELDS ENCLOSED BY 'ab'", 1083);
    assertSyntaxError("LOAD DATA LOCAL INFILE 'a' INTO TABLE t FIELDS", "", 1);
    assertSyntaxError("LOAD DATA LOCAL INFILE a", "a", 1);
  }

  @Test
  void binlogOfNothingButTheForm() {
    byte[] event = new byte[122];
    event[4] = 15;
    event[9] = 122;
    String text = Base64.getMimeEncoder().encodeToString(event);
    assertParsed(new AdminStatement.NoOperation("BINLOG"), "BINLOG '\n" + text + "\n'");
    event[4] = 30;
    assertRefused("BINLOG '" + Base64.getEncoder().encodeToString(event) + "'", 1235);
    assertRefused("BINLOG ''", 1235);
    assertRefused("BINLOG 'nothing of the kind'", 1235);
    assertSyntaxError("BINLOG", "", 1);
  }

  @Test
  void othersAreLeftOrRefused() {
    assertNotHere("INSERT INTO t VALUES (1)");
    assertNotHere("CREATE TABLE t(a int)");
    assertRefused(" ", 1065);
    assertSyntaxError("SELCT 1\n+ 2", "SELCT 1\n+ 2", 1);
    assertSyntaxError("5", "5", 1);
  }

  private static void assertParsed(AdminStatement expected, String sql) {
    assertEquals(Optional.of(expected), parse(sql));
  }

  private static void assertNotHere(String sql) {
    assertEquals(Optional.empty(), parse(sql));
  }

  private static void assertShadow(String sql, String expected) {
    AdminStatement.FromShadow shadow = (AdminStatement.FromShadow) parse(sql).orElseThrow();
    assertEquals(expected, TemplateTexts.of(shadow.sql()));
  }

  private static void assertAssigned(String sql, String expected) {
    AdminStatement.SetVariables set = (AdminStatement.SetVariables) parse(sql).orElseThrow();
    StringJoiner all = new StringJoiner("; ");
    for (Assignment one : set.assignments()) {
      String variable =
          switch (one) {
            case Assignment.OfUser user -> "USER " + user.name();
            case Assignment.OfSystem system -> system.scope() + " " + system.name();
          };
      all.add(variable + " = " + TemplateTexts.of(one.value()));
    }
    assertEquals(expected, all.toString());
  }

  private static void assertSyntaxError(String sql, String near, int line) {
    AlraiException error = assertThrows(AlraiException.class, () -> parse(sql));
    assertEquals(1064, error.errno());
    assertEquals(
        "You have an error in your SQL syntax; check the manual that corresponds to your MySQL"
            + " server version for the right syntax to use near '"
            + near
            + "' at line "
            + line,
        error.sentence());
  }

  private static void assertRefused(String sql, int errno) {
    assertEquals(errno, assertThrows(AlraiException.class, () -> parse(sql)).errno());
  }

  private static Optional<AdminStatement.Parsed> parse(String sql) {
    return AdminParser.parse(ShapedText.of(sql), CONTEXT);
  }

  private static SqlTemplate text(String sql) {
    return TemplateWriter.text(sql);
  }

  @Test
  void nodesOfTheGms() {
    assertParsed(
        new AdminStatement.OfMembers(new MembersStatement.AddGms("gms-4", "10.0.0.4:8600")),
        "alter system add gms 'gms-4' at '10.0.0.4:8600'");
    assertSyntaxError("ALTER SYSTEM ADD GMS 'gms-4'", "", 1);
    assertSyntaxError("ALTER SYSTEM DROP GMS 'gms-2' FROM 'x'", "FROM 'x'", 1);
  }
}
