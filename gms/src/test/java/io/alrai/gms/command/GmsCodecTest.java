package io.alrai.gms.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.NodeId;
import io.alrai.common.kind.SealedKinds;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.ColumnIndexDefinition;
import io.alrai.gms.api.Credential;
import io.alrai.gms.api.DdlJob;
import io.alrai.gms.api.DynamicPrivilege;
import io.alrai.gms.api.GrantChange;
import io.alrai.gms.api.GrantScope;
import io.alrai.gms.api.Grants;
import io.alrai.gms.api.LockStage;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.PasswordRules;
import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.Roles;
import io.alrai.gms.api.RoutineKind;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.Trigger;
import io.alrai.gms.api.node.DataNode;
import io.alrai.gms.api.node.DnMember;
import io.alrai.gms.catalog.CatalogState;
import io.alrai.gms.catalog.Samples;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class GmsCodecTest {
  private final GmsCodec codec = new GmsCodec();
  private static final GrantChange CHANGE =
      new GrantChange(
          GrantScope.ofTable("shop", "t"),
          Set.of(Privilege.CREATE_VIEW, Privilege.GRANT),
          Map.of("a", Set.of(Privilege.SELECT, Privilege.INSERT), "B", Set.of(Privilege.SELECT)),
          List.of(DynamicPrivilege.CLONE_ADMIN),
          true);
  private static final Grants CHANGED =
      Grants.NONE
          .granted(CHANGE)
          .granted(
              GrantChange.of(
                  GrantScope.ofSchema("a\\_b"), Set.of(Privilege.SELECT), List.of(), false))
          .granted(
              GrantChange.of(
                  GrantScope.ofRoutine(RoutineKind.FUNCTION, "shop", "F"),
                  Set.of(Privilege.EXECUTE),
                  List.of(),
                  false));

  private static Account account(Grants grants) {
    return Account.of("ann", "%", Credential.old("BB"), false, grants);
  }

  static List<CatalogCommand> commands() {
    List<CatalogCommand> each =
        new ArrayList<>(
            List.of(
                new CatalogCommand.PutDataNode(new DataNode(Samples.DN1, "host:3306")),
                new CatalogCommand.RegisterDataNode(new DataNode(Samples.DN1, "host:3306")),
                new CatalogCommand.PutDnMember(
                    Samples.DN1, new DnMember("dn-1-a", "host:1", DnMember.Keeps.ROWS)),
                new CatalogCommand.DropDnMember(Samples.DN1, "dn-1-a"),
                new CatalogCommand.HintLeader(Samples.DN1, "host:1", 1L << 40),
                Samples.renew(Samples.CN1, 7, 1_700_000_000_000L),
                new CatalogCommand.RemoveComputeNode(Samples.CN1),
                new CatalogCommand.RenewColumnNode(Samples.CN1, "h:1", 5, 7),
                new CatalogCommand.RemoveColumnNode(Samples.CN1),
                Samples.createSchema("sch\u00f6n \"quoted\""),
                new CatalogCommand.PutSchema("shop", "latin1", "latin1_bin", 3),
                new CatalogCommand.DropSchema("shop"),
                new CatalogCommand.PutTableGroup("shop", Samples.group(1, "g", "a", "b")),
                new CatalogCommand.DropTableGroup("shop", Long.MAX_VALUE),
                new CatalogCommand.DropTable("shop", "t"),
                new CatalogCommand.PutView(Samples.view("shop", "v")),
                new CatalogCommand.DropView("shop", "v"),
                new CatalogCommand.PutProcedure(Samples.procedure("shop", "P"), ""),
                new CatalogCommand.DropProcedure("shop", "P", true),
                new CatalogCommand.PutFunction(Samples.function("shop", "F"), ""),
                new CatalogCommand.PutFunction(Samples.interpreted("shop", "G"), ""),
                new CatalogCommand.DropFunction("shop", "F", true),
                new CatalogCommand.PutAccount(
                    Account.of("", "%", Credential.old("BB"), true, Grants.ALL)),
                new CatalogCommand.CreateAccount(account(Grants.NONE)),
                new CatalogCommand.AlterAccount(
                    account(CHANGED)
                        .with(new Roles(Map.of("dev@%", true, "o@%", false), Set.of("o@%")))
                        .with(new PasswordRules(true, 90, PasswordRules.NOW, 3, -1, 2))),
                new CatalogCommand.ReplaceCredential(
                    "ann", "%", Credential.old("BB"), Credential.of("x\u0001")),
                new CatalogCommand.Grant("ann", "%", CHANGE),
                new CatalogCommand.Revoke("ann", "%", CHANGE),
                new CatalogCommand.RevokeAll("ann", "%"),
                new CatalogCommand.GrantRoles("ann", "%", Set.of("dev@%"), true),
                new CatalogCommand.RevokeRoles("ann", "%", Set.of("dev@%", "ops@%")),
                new CatalogCommand.SetDefaultRoles("ann", "%", Set.of()),
                new CatalogCommand.RenameAccount("ann", "%", "eve", "localhost"),
                new CatalogCommand.DropAccount("ann", "localhost"),
                new CatalogCommand.PutSetting("name", ""),
                new CatalogCommand.PutJob(Samples.job(1, Samples.CN1, "shop", "t")),
                Samples.update(1, Samples.CN1, DdlJob.State.ROLLING_BACK),
                new CatalogCommand.ClaimJob(1, Samples.CN2, 5),
                new CatalogCommand.ShowStep(1, Samples.CN1, Map.of(DdlJob.SHOWN_STEP, "x")),
                new CatalogCommand.CancelJob(1, "why")));
    each.addAll(Samples.ofCluster());
    for (Partitioning partitioning : partitionings()) {
      each.add(new CatalogCommand.PutTable(with(partitioning)));
    }
    each.add(new CatalogCommand.Batch(List.copyOf(each)));
    return each;
  }

  private static List<Partitioning> partitionings() {
    return List.of(
        new Partitioning.Key(List.of("a", "b"), 4),
        new Partitioning.Hash("a", 8),
        new Partitioning.Spread(2),
        new Partitioning.Single(),
        new Partitioning.Broadcast());
  }

  private static Table with(Partitioning partitioning) {
    Table table = Samples.table(1, "shop", "t");
    return new Table(
        table.id(),
        table.schema(),
        table.name(),
        table.columns(),
        table.primaryKey(),
        table.uniqueKeys(),
        true,
        partitioning,
        table.tableGroupId(),
        List.of(new ColumnIndexDefinition("ci", List.of("a"), 7)),
        List.of(Samples.trigger("g")),
        true,
        false);
  }

  static List<LogCommand> logCommands() {
    List<LogCommand> each =
        new ArrayList<>(
            List.of(
                new LogCommand.ReserveNumbers("auto:1", 1000),
                new LogCommand.ReserveTimestamps(1, 300),
                new LogCommand.RaiseNumbers("auto:1", Long.MAX_VALUE)));
    commands().forEach(command -> each.add(new LogCommand.Change(command)));
    return each;
  }

  static List<Question> questions() {
    return List.of(
        new Question.Watch(-1, 500),
        new Question.WhoIsBehind(9),
        new Question.NextTimestamps(3),
        new Question.HowFar(List.of("auto:1", "table")));
  }

  static List<Answer> answers() {
    Catalog catalog =
        CatalogState.EMPTY
            .apply(Samples.ground())
            .apply(new CatalogCommand.PutTable(Samples.table(1, "shop", "t")))
            .apply(new CatalogCommand.PutView(Samples.view("shop", "v")))
            .apply(Samples.renew(Samples.CN1, 1, 1))
            .apply(new CatalogCommand.PutJob(Samples.job(1, Samples.CN1, "shop", "u")))
            .apply(new CatalogCommand.AddClusterLock(3, Samples.CN1, LockStage.STATEMENTS))
            .apply(new CatalogCommand.ReachClusterLock(3, LockStage.STATEMENTS, Samples.CN2))
            .catalog();
    return List.of(
        new Answer.Changed(5),
        new Answer.Refused(ErrorCode.ER_DB_CREATE_EXISTS, "Can't"),
        new Answer.Numbers(1, 2),
        new Answer.Timestamps(1L << 40, 3, 250),
        new Answer.Steps(
            9, commands().stream().map(command -> new Answer.Step(9, 3, command)).toList()),
        new Answer.Whole(10, catalog),
        new Answer.LastNumbers(Map.of("auto:1", 7L)),
        new Answer.Behind(10, List.of(new NodeId("cn-1"))));
  }

  @Test
  void everyCommandComesBackAsItWas() {
    for (LogCommand command : logCommands()) {
      LogEntry entry = new LogEntry("client:1", command);
      assertEquals(entry, codec.decode(codec.encode(entry), LogEntry.class));
    }
  }

  @Test
  void everyQuestionAndAnswerComesBackAsItWas() {
    for (Question question : questions()) {
      assertEquals(question, codec.decode(codec.encode(question), Question.class));
    }
    for (Answer answer : answers()) {
      assertEquals(answer, codec.decode(codec.encode(answer), Answer.class));
    }
  }

  @Test
  void noMemberOfASealedTypeIsForgottenHere() {
    assertCovers(CatalogCommand.class, commands());
    assertCovers(Partitioning.class, partitionings());
    assertCovers(LogCommand.class, logCommands());
    assertCovers(Question.class, questions());
    assertCovers(Answer.class, answers());
    assertEquals(5, GmsCodec.SEALED.size());
  }

  private static void assertCovers(Class<?> sealed, List<?> samples) {
    Set<Class<?>> covered = samples.stream().map(Object::getClass).collect(Collectors.toSet());
    assertEquals(Set.copyOf(SealedKinds.of(sealed)), covered);
  }

  /** A record that is renamed cannot read the logs that exist: this list may grow, not change. */
  @Test
  void theNamesInTheLogAreTheseForGood() {
    assertTrue(
        names(CatalogCommand.class)
            .containsAll(
                List.of(
                    "AddClusterLock",
                    "AdvanceClusterLock",
                    "AlterAccount",
                    "Batch",
                    "CancelJob",
                    "ClaimJob",
                    "CreateAccount",
                    "CreateSchema",
                    "DropAccount",
                    "DropClusterLock",
                    "DropDnMember",
                    "DropSchema",
                    "DropTable",
                    "DropTableGroup",
                    "DropView",
                    "Grant",
                    "HintLeader",
                    "GrantRoles",
                    "PutAccount",
                    "PutDataNode",
                    "PutDnMember",
                    "PutJob",
                    "PutSchema",
                    "PutSetting",
                    "PutTable",
                    "PutTableGroup",
                    "PutView",
                    "ReachClusterLock",
                    "RemoveComputeNode",
                    "RenameAccount",
                    "RenewComputeNode",
                    "ReplaceCredential",
                    "Revoke",
                    "RevokeAll",
                    "RevokeRoles",
                    "SetDefaultRoles",
                    "UpdateJob")));
    assertTrue(
        names(LogCommand.class).containsAll(List.of("Change", "RaiseNumbers", "ReserveNumbers")));
    assertTrue(
        names(Partitioning.class)
            .containsAll(List.of("Broadcast", "Hash", "Key", "Single", "Spread")));
  }

  private static Set<String> names(Class<?> sealed) {
    return SealedKinds.of(sealed).stream()
        .map(Class::getSimpleName)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void theBytesAreTheseForGood() {
    assertEquals(
        "{\"format\":1,\"body\":{\"request\":\"c:1\",\"command\":{\"is\":\"Change\",\"command\":"
            + "{\"is\":\"DropTable\",\"schema\":\"shop\",\"name\":\"t\"}}}}",
        new String(
            codec.encode(
                new LogEntry(
                    "c:1", new LogCommand.Change(new CatalogCommand.DropTable("shop", "t")))),
            StandardCharsets.UTF_8));
  }

  @Test
  void catalogsFromBeforeLocksAreRead() {
    Catalog catalog = CatalogState.EMPTY.apply(Samples.ground()).catalog();
    String now = new String(codec.encode(catalog), StandardCharsets.UTF_8);
    String older = now.replace(",\"locks\":[]", "").replace(",\"columnNodes\":[]", "");
    assertTrue(older.length() < now.length(), now);
    assertEquals(catalog, codec.decode(older.getBytes(StandardCharsets.UTF_8), Catalog.class));
  }

  @Test
  void tablesFromBeforeColumnIndexesAreRead() {
    Table table = Samples.table(1, "shop", "t");
    String now = new String(codec.encode(table), StandardCharsets.UTF_8);
    String older = now.replace(",\"columnIndexes\":[]", "");
    assertTrue(older.length() < now.length(), now);
    assertEquals(table, codec.decode(older.getBytes(StandardCharsets.UTF_8), Table.class));
  }

  @Test
  void tablesFromBeforeTriggersAreRead() {
    Table table = Samples.table(1, "shop", "t");
    String now = new String(codec.encode(table), StandardCharsets.UTF_8);
    String older = now.replace(",\"triggers\":[]", "");
    assertTrue(older.length() < now.length(), now);
    assertEquals(table, codec.decode(older.getBytes(StandardCharsets.UTF_8), Table.class));
    Table watched = table.withTriggers(List.of(Samples.trigger("g"), Samples.trigger("h")));
    assertEquals(watched, codec.decode(codec.encode(watched), Table.class));
  }

  @Test
  void idsOfTablesFromBeforeComeFromSequences() {
    Table table = Samples.table(1, "shop", "t");
    String now = new String(codec.encode(table.withOwnIds(true)), StandardCharsets.UTF_8);
    String older = now.replace(",\"ownIds\":true", "");
    assertTrue(older.length() < now.length(), now);
    assertEquals(table, codec.decode(older.getBytes(StandardCharsets.UTF_8), Table.class));
  }

  @Test
  void triggersFromBeforeTheyCouldUseTablesAreRead() {
    Trigger trigger = Samples.trigger("g");
    String now = new String(codec.encode(trigger), StandardCharsets.UTF_8);
    String older = now.replaceFirst(",\"tables\":\\[.*?]", "");
    assertTrue(older.length() < now.length(), now);
    assertEquals(
        List.of(), codec.decode(older.getBytes(StandardCharsets.UTF_8), Trigger.class).tables());
  }

  @Test
  void accountsFromBeforePrivilegesMayDoEverything() {
    String older =
        "{\"format\":1,\"body\":{\"user\":\"ann\",\"host\":\"%\",\"nativeDigest\":\"AA\","
            + "\"sha2Digest\":\"BB\",\"locked\":false}}";
    assertEquals(
        account(Grants.ALL), codec.decode(older.getBytes(StandardCharsets.UTF_8), Account.class));
    String command =
        "{\"format\":1,\"body\":{\"is\":\"PutAccount\",\"account\":{\"user\":\"ann\","
            + "\"host\":\"%\",\"nativeDigest\":\"AA\",\"sha2Digest\":\"BB\",\"locked\":false}}}";
    assertEquals(
        new CatalogCommand.PutAccount(account(Grants.ALL)),
        codec.decode(command.getBytes(StandardCharsets.UTF_8), CatalogCommand.class));
    assertEquals(account(CHANGED), codec.decode(codec.encode(account(CHANGED)), Account.class));
    assertEquals(
        account(Grants.NONE), codec.decode(codec.encode(account(Grants.NONE)), Account.class));
  }

  @Test
  void ofTheDigestsFromBeforeSaltsTheBetterIsKept() {
    String older =
        "{\"format\":1,\"body\":{\"user\":\"ann\",\"host\":\"%\",\"nativeDigest\":\"\","
            + "\"sha2Digest\":\"\",\"locked\":false}}";
    Account without = codec.decode(older.getBytes(StandardCharsets.UTF_8), Account.class);
    assertEquals(Credential.NONE, without.credential());
    String digests = older.replace("\"nativeDigest\":\"\"", "\"nativeDigest\":\"AA\"");
    Account sha1Only = codec.decode(digests.getBytes(StandardCharsets.UTF_8), Account.class);
    assertEquals(new Credential("mysql_native_password", "*AA"), sha1Only.credential());
    digests = digests.replace("\"sha2Digest\":\"\"", "\"sha2Digest\":\"BB\"");
    Account with = codec.decode(digests.getBytes(StandardCharsets.UTF_8), Account.class);
    assertEquals("BB", with.credential().oldDigest().orElseThrow());
    String now = new String(codec.encode(with), StandardCharsets.UTF_8);
    assertFalse(now.contains("AA"), now);
    assertFalse(with.requiresTls());
  }

  @Test
  void accountsFromBeforeRolesAndRulesForPasswordsHaveNone() {
    String now = new String(codec.encode(account(CHANGED)), StandardCharsets.UTF_8);
    String older =
        now.replaceFirst(
            ",\"roles\":\\{\"granted\":\\{},\"defaults\":\\[]},\"password\":[^}]*}", "");
    assertTrue(older.length() < now.length(), now);
    assertEquals(
        account(CHANGED), codec.decode(older.getBytes(StandardCharsets.UTF_8), Account.class));
  }

  @Test
  void privilegesFromBeforeColumnsAreRead() {
    GrantChange change =
        GrantChange.of(GrantScope.ofTable("shop", "t"), Set.of(Privilege.SELECT), List.of(), false);
    for (Object value : List.of(change, Grants.NONE.granted(change), account(Grants.ALL))) {
      String now = new String(codec.encode(value), StandardCharsets.UTF_8);
      String older = now.replaceFirst(",?\"columns\":\\{}", "");
      assertTrue(older.length() < now.length(), now);
      assertEquals(value, codec.decode(older.getBytes(StandardCharsets.UTF_8), value.getClass()));
    }
  }

  private <T> T decoded(String body, Class<T> type) {
    String json = "{\"format\":1,\"body\":" + body + "}";
    return codec.decode(json.getBytes(StandardCharsets.UTF_8), type);
  }

  @Test
  void scopesFromBeforePrivilegesOnRoutinesAreRead() {
    assertEquals(GrantScope.GLOBAL, decoded("{\"schema\":\"\",\"table\":\"\"}", GrantScope.class));
    assertEquals(
        GrantScope.ofSchema("a%"), decoded("{\"schema\":\"a%\",\"table\":\"\"}", GrantScope.class));
    assertEquals(
        GrantScope.ofTable("shop", "t"),
        decoded("{\"schema\":\"shop\",\"table\":\"t\"}", GrantScope.class));
    String now = new String(codec.encode(Grants.ALL), StandardCharsets.UTF_8);
    String older = now.replace(",\"procedures\":{},\"functions\":{}", "");
    assertTrue(older.length() < now.length(), now);
    assertEquals(Grants.ALL, codec.decode(older.getBytes(StandardCharsets.UTF_8), Grants.class));
  }

  private static String older(String now, String owner) {
    return now.replace("\"definer\":\"root@%\"", "\"definer\":\"root@%\"," + owner);
  }

  @Test
  void routinesFromBeforePrivilegesOnThemAreForWhoMadeThem() {
    String owner = "\"creator\":\"ann@%\"";
    for (CatalogCommand command :
        List.of(
            new CatalogCommand.PutProcedure(Samples.procedure("shop", "P"), "ann@%"),
            new CatalogCommand.PutFunction(Samples.function("shop", "F"), "ann@%"),
            new CatalogCommand.DropProcedure("shop", "P", true),
            new CatalogCommand.DropFunction("shop", "F", true))) {
      String now = new String(codec.encode(command), StandardCharsets.UTF_8);
      String before =
          older(now, owner).replace(",\"owner\":\"ann@%\"", "").replace(",\"privileges\":true", "");
      assertTrue(!before.contains("owner") && !before.contains("privileges"), before);
      assertEquals(
          command, codec.decode(before.getBytes(StandardCharsets.UTF_8), CatalogCommand.class));
    }
    CatalogState state =
        CatalogState.EMPTY
            .apply(Samples.createSchema("shop"))
            .apply(new CatalogCommand.PutAccount(account(CHANGED)))
            .apply(new CatalogCommand.PutProcedure(Samples.procedure("shop", "P"), ""))
            .apply(new CatalogCommand.PutFunction(Samples.function("shop", "F"), ""));
    String now = new String(codec.encode(state), StandardCharsets.UTF_8);
    String before = older(now, owner);
    assertTrue(before.length() > now.length(), now);
    Grants grants =
        codec
            .decode(before.getBytes(StandardCharsets.UTF_8), CatalogState.class)
            .catalog()
            .account("ann", "%")
            .orElseThrow()
            .grants();
    Set<Privilege> both = Set.of(Privilege.EXECUTE, Privilege.ALTER_ROUTINE);
    assertEquals(Map.of("shop", Map.of("p", both)), grants.procedures());
    assertEquals(Map.of("shop", Map.of("f", both)), grants.functions());
    assertEquals(CHANGED.tables(), grants.tables());
    String gone = older(now, "\"creator\":\"eve@%\"");
    assertEquals(state, codec.decode(gone.getBytes(StandardCharsets.UTF_8), CatalogState.class));
  }

  @Test
  void theBytesOfPrivilegesAreTheseForGood() {
    assertEquals(
        "{\"format\":1,\"body\":{\"global\":[],\"dynamic\":{\"CLONE_ADMIN\":true},\"schemas\":"
            + "{\"a\\\\_b\":[\"SELECT\"]},\"tables\":{\"shop\":{\"t\":[\"GRANT\",\"CREATE_VIEW\"]}},"
            + "\"columns\":{\"shop\":{\"t\":{\"B\":[\"SELECT\"],\"a\":[\"SELECT\",\"INSERT\"]}}},"
            + "\"procedures\":{},\"functions\":{\"shop\":{\"f\":[\"EXECUTE\"]}}}}",
        new String(codec.encode(CHANGED), StandardCharsets.UTF_8));
  }

  @Test
  void whatIsNotUnderstoodWholeIsRefused() {
    for (String wrong :
        List.of(
            "",
            "{",
            "null",
            "{\"format\":2,\"body\":{\"is\":\"WhoIsBehind\",\"version\":1}}",
            "{\"format\":1,\"body\":{\"is\":\"WhoIsBehind\"}}",
            "{\"format\":1,\"body\":{\"is\":\"WhoIsBehind\",\"version\":null}}",
            "{\"format\":1,\"body\":{\"is\":\"WhoIsBehind\",\"version\":1,\"more\":2}}",
            "{\"format\":1,\"body\":{\"is\":\"Unheard\",\"version\":1}}",
            "{\"format\":1,\"body\":{\"is\":\"WhoIsBehind\",\"version\":1}",
            "{\"format\":1,\"body\":{\"is\":\"WhoIsBehind\",\"version\":1}}x")) {
      AlraiException refusal =
          assertThrows(
              AlraiException.class,
              () -> codec.decode(wrong.getBytes(StandardCharsets.UTF_8), Question.class),
              wrong);
      assertEquals(ErrorCode.ALRAI_INTERNAL.errno(), refusal.errno());
    }
  }
}
