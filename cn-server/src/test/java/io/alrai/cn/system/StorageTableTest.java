package io.alrai.cn.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.process.UnaskedMembers;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.dn.link.DnMembers;
import io.alrai.dn.link.MemberStatus;
import io.alrai.dn.link.MemberStatus.Cloning;
import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.token.TokenCursor;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StorageTableTest {
  private static final Pattern JSON = Pattern.compile("x'([0-9a-f]+)'");

  /**
   * A leader with a logger that is silent, and a member that does not answer.
   *
   * @param silent what that one does instead
   * @param asked runs when it is asked
   */
  private record Group(CompletableFuture<MemberStatus> silent, Runnable asked)
      implements UnaskedMembers {
    @Override
    public List<String> names() {
      return List.of("dn-1-a", "dn-1-b");
    }

    @Override
    public String address(String member) {
      return "h:" + member;
    }

    @Override
    public CompletableFuture<MemberStatus> ask(String member) {
      List<MemberStatus.Voter> voters =
          List.of(
              new MemberStatus.Voter("dn-1-b", true, 9_000),
              new MemberStatus.Voter("logger-1", false, 2_000));
      if (member.equals("dn-1-a")) {
        return CompletableFuture.completedFuture(
            new MemberStatus(member, "LEADING", true, 7, 42, 0, 0, "", "", voters, Cloning.NONE));
      }
      asked.run();
      return silent;
    }
  }

  private static String json(String query) {
    Matcher hex = JSON.matcher(query);
    assertTrue(hex.find(), query);
    return new String(HexFormat.of().parseHex(hex.group(1)), StandardCharsets.UTF_8);
  }

  private static Map<DnId, DnMembers> group(String error) {
    return Map.of(
        new DnId("dn-1"), new Group(CompletableFuture.failedFuture(refusal(error)), () -> {}));
  }

  /** All of them in zones of a hostile name, but for a logger that nobody has asked. */
  private static DnGroups in(Map<DnId, DnMembers> dns) {
    return new DnGroups(dns, member -> member.startsWith("logger") ? "" : "z'\"\\");
  }

  private static AlraiException refusal(String error) {
    return new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, error);
  }

  /** A second is enough for all of them, however many are silent. */
  @Test
  @Timeout(10)
  void allAreAskedBeforeOneIsWaitedFor() {
    CompletableFuture<MemberStatus> silent = new CompletableFuture<>();
    Map<DnId, DnMembers> dns = new LinkedHashMap<>();
    dns.put(new DnId("dn-1"), new Group(silent, () -> {}));
    dns.put(new DnId("dn-2"), new Group(silent, () -> silent.completeExceptionally(refusal(""))));
    assertEquals(
        "[[\"dn-1\",\"dn-1-a\",\"h:dn-1-a\",\"false\",7,3,1],"
            + "[\"dn-2\",\"dn-1-a\",\"h:dn-1-a\",\"false\",7,3,1]]",
        json(StorageTable.STORAGE.query(in(dns))));
  }

  @Test
  void aGroupWithSilentMembers() {
    assertEquals(
        "[[\"dn-1\",\"dn-1-a\",\"h:dn-1-a\",\"false\",7,3,1]]",
        json(StorageTable.STORAGE.query(in(group("")))));
    assertEquals(
        "[[\"dn-1\",\"dn-1-a\",\"LEADER\",\"LEADING\",7,\"h:dn-1-a\",42,0,0,\"\",null,null,null,\"z'\\\"\\\\\"],"
            + "[\"dn-1\",\"dn-1-b\",\"UNKNOWN\",\"SILENT\",null,\"h:dn-1-b\",null,null,null,"
            + "\"it's \\\"away\\\" in C:\\\\\",null,null,null,\"z'\\\"\\\\\"],"
            + "[\"dn-1\",\"logger-1\",\"LOGGER\",\"SILENT\",null,null,null,null,null,"
            + "\"no answer for 2000 ms\",null,null,null,\"\"]]",
        json(StorageTable.STORAGE_REPLICAS.query(in(group("it's \"away\" in C:\\")))));
  }

  @Test
  void aDnOfOneReplica() {
    Map<DnId, DnMembers> alone = Map.of(new DnId("dn-1"), DnMembers.alone("dn-1"));
    assertEquals(
        "[[\"dn-1\",\"dn-1\",\"\",\"true\",null,1,1]]",
        json(StorageTable.STORAGE.query(in(alone))));
    assertEquals(
        "[[\"dn-1\",\"dn-1\",\"LEADER\",\"LEADING\",null,\"\",null,0,0,\"\",null,null,null,\"z'\\\"\\\\\"]]",
        json(StorageTable.STORAGE_REPLICAS.query(in(alone))));
  }

  @Test
  void howFarACloneIs() {
    Cloning half = new Cloning(true, 0, "dn-1-c", 5L << 40, 10L << 40);
    MemberStatus clones =
        new MemberStatus("dn-1-b", "REBUILDING", false, 0, 9, 3, 40, "", "", List.of(), half);
    Group group = new Group(CompletableFuture.completedFuture(clones), () -> {});
    String json = json(StorageTable.STORAGE_REPLICAS.query(in(Map.of(new DnId("dn-1"), group))));
    assertTrue(json.contains(",\"dn-1-c\",5497558138880,10995116277760,"), json);
  }

  @Test
  void anErrorThatIsTooLongIsCutBetweenLetters() {
    String json =
        json(StorageTable.STORAGE_REPLICAS.query(in(group("\uD83D\uDE00".repeat(1_100)))));
    assertTrue(json.contains("\"" + "\uD83D\uDE00".repeat(1_024) + "\""), json);
  }

  private static Optional<String> shown(String show) {
    TokenCursor tokens = new TokenCursor(show, false, false);
    tokens.expect("SHOW");
    return StorageTable.ofShow(tokens, () -> in(group("")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"'dn\\_1%'", "''", "'a''b\\\\'"})
  void patternsAreOfTheFirstColumn(String pattern) {
    String sql = shown("SHOW FULL STORAGE REPLICAS LIKE " + pattern).orElseThrow();
    assertTrue(sql.endsWith(" AS `STORAGE_REPLICAS` WHERE DN LIKE " + pattern), sql);
    sql = shown("SHOW STORAGE LIKE " + pattern).orElseThrow();
    assertTrue(sql.endsWith(" AS `STORAGE` WHERE STORAGE_INST_ID LIKE " + pattern), sql);
  }

  @Test
  void conditions() {
    String sql = shown("SHOW STORAGE WHERE TERM > 1 OR IS_HEALTHY = 'false'").orElseThrow();
    assertTrue(sql.endsWith(" AS `STORAGE` WHERE TERM > 1 OR IS_HEALTHY = 'false'"), sql);
    assertEquals(Optional.empty(), shown("SHOW STORAGE ENGINES"));
    assertEquals(Optional.empty(), shown("SHOW FULL TABLES"));
    for (String wrong : List.of("LIKE", "LIKE 1", "LIKE 'a' x", "WHERE", "WHERE 1 LIMIT 1")) {
      assertThrows(AlraiException.class, () -> shown("SHOW STORAGE " + wrong), wrong);
    }
  }

  private static String declared(String sql, String schema) {
    return StorageTable.declaredIn(sql, LexicalMode.DEFAULT, schema).strip();
  }

  @Test
  void whatAMysqldOnlyReadsHasTheColumnsThere() {
    String sql = declared("EXPLAIN SELECT s.TERM FROM information_schema.storage s", "");
    assertTrue(sql.startsWith("EXPLAIN SELECT s.TERM FROM (SELECT CAST(NULL AS CHAR(64)"), sql);
    assertTrue(sql.endsWith(" AS `MEMBERS_ALIVE` LIMIT 0) s"), sql);
    sql = declared("SELECT 1 FROM STORAGE_REPLICAS WHERE NODE = ?", "information_schema");
    assertTrue(sql.endsWith(" LIMIT 0) AS `STORAGE_REPLICAS` WHERE NODE = ?"), sql);
    for (String other : List.of("SELECT 'STORAGE'", "SELECT * FROM storage", "SELECT 1")) {
      assertEquals(other, declared(other, "shop"));
    }
  }

  @Test
  void describe() {
    String sql = StorageTable.STORAGE.described();
    assertTrue(sql.startsWith("SELECT 'STORAGE_INST_ID' AS `Field`,'varchar(64)' AS `Type`"), sql);
    assertTrue(sql.contains("SELECT 'TERM' AS `Field`,'bigint' AS `Type`"), sql);
  }

  @Test
  void membersAreAskedOnceHoweverOftenATableIsNamed() {
    AtomicInteger times = new AtomicInteger();
    StorageQueries queries =
        new StorageQueries(() -> {
          times.incrementAndGet();
          return in(group(""));
        });
    assertEquals(queries.of(StorageTable.STORAGE), queries.of(StorageTable.STORAGE));
    assertEquals(1, times.get());
  }

  @Test
  void namesInAnyCase() {
    assertEquals(Optional.of(StorageTable.STORAGE), StorageTable.named("storage"));
    assertEquals(Optional.empty(), StorageTable.named("STORAGES"));
  }
}
