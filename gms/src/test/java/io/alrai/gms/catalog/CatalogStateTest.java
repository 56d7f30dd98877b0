package io.alrai.gms.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.PhysicalSchema;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.Credential;
import io.alrai.gms.api.GrantChange;
import io.alrai.gms.api.GrantScope;
import io.alrai.gms.api.Grants;
import io.alrai.gms.api.PartitionGroup;
import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.SequenceRange;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.TableGroup;
import io.alrai.gms.api.node.DataNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CatalogStateTest {
  private static final CatalogState GROUND = CatalogState.EMPTY.apply(Samples.ground());

  private static void refused(ErrorCode code, CatalogState state, CatalogCommand command) {
    AlraiException refusal = assertThrows(AlraiException.class, () -> state.apply(command));
    assertEquals(code.errno(), refusal.errno(), refusal.sentence());
  }

  private static CatalogState with(CatalogState state, CatalogCommand... commands) {
    for (CatalogCommand command : commands) {
      state = state.apply(command);
    }
    return state;
  }

  @Test
  void aBatchIsOneVersionStep() {
    assertEquals(1, GROUND.catalog().version());
    assertEquals(2, GROUND.catalog().dataNodes().size());
    assertEquals(2, with(GROUND, Samples.createSchema("b")).catalog().version());
  }

  @Test
  void aBatchIsAppliedWholeOrNotAtAll() {
    CatalogCommand half =
        new CatalogCommand.Batch(
            List.of(Samples.createSchema("other"), Samples.createSchema("shop")));
    refused(ErrorCode.ER_DB_CREATE_EXISTS, GROUND, half);
    assertTrue(GROUND.catalog().schema("other").isEmpty());
  }

  @Test
  void aBatchSeesItsOwnChanges() {
    CatalogState state = with(GROUND, new CatalogCommand.PutTable(Samples.table(1, "shop", "t")));
    CatalogState truncated =
        with(
            state,
            new CatalogCommand.Batch(
                List.of(
                    new CatalogCommand.DropTable("shop", "t"),
                    new CatalogCommand.PutTable(Samples.table(2, "shop", "t")))));
    assertEquals(2, truncated.catalog().table("shop", "t").orElseThrow().id());
  }

  @Test
  void schemasAreRefusedAsMysqlDoes() {
    refused(ErrorCode.ER_DB_CREATE_EXISTS, GROUND, Samples.createSchema("shop"));
    refused(ErrorCode.ER_DB_DROP_EXISTS, GROUND, new CatalogCommand.DropSchema("none"));
    refused(
        ErrorCode.ER_BAD_DB_ERROR,
        GROUND,
        new CatalogCommand.PutTable(Samples.table(1, "none", "t")));
    refused(ErrorCode.ER_BAD_DB_ERROR, GROUND, new CatalogCommand.DropTable("none", "t"));
  }

  @Test
  void putSchemaKeepsTheTables() {
    CatalogState state =
        with(
            GROUND,
            new CatalogCommand.PutTable(Samples.table(1, "shop", "t")),
            new CatalogCommand.PutSchema("shop", "latin1", "latin1_swedish_ci", 8));
    assertEquals("latin1", state.catalog().schema("shop").orElseThrow().charset());
    assertTrue(state.catalog().table("shop", "t").isPresent());
  }

  @Test
  void tablesAreRefusedAsMysqlDoes() {
    CatalogState state = with(GROUND, new CatalogCommand.PutTable(Samples.table(1, "shop", "t")));
    refused(
        ErrorCode.ER_TABLE_EXISTS_ERROR,
        state,
        new CatalogCommand.PutTable(Samples.table(2, "shop", "t")));
    refused(ErrorCode.ER_BAD_TABLE_ERROR, state, new CatalogCommand.DropTable("shop", "none"));
  }

  @Test
  void proceduresComeAndGoWhateverTheirCase() {
    CatalogState made =
        with(
            with(CatalogState.EMPTY, Samples.createSchema("shop")),
            new CatalogCommand.PutProcedure(Samples.procedure("shop", "Pay"), ""));
    assertEquals(
        Samples.procedure("shop", "Pay"), made.catalog().procedure("shop", "pAY").orElseThrow());
    CatalogState kept = with(made, new CatalogCommand.PutSchema("shop", "latin1", "latin1_bin", 3));
    assertTrue(kept.catalog().procedure("shop", "pay").isPresent());
    refused(
        ErrorCode.ER_SP_DOES_NOT_EXIST,
        kept,
        new CatalogCommand.DropProcedure("shop", "other", true));
    refused(
        ErrorCode.ER_BAD_DB_ERROR,
        kept,
        new CatalogCommand.PutProcedure(Samples.procedure("none", "p"), ""));
    CatalogState dropped = with(kept, new CatalogCommand.DropProcedure("shop", "PAY", true));
    assertTrue(dropped.catalog().procedure("shop", "pay").isEmpty());
  }

  @Test
  void functionsAreApartFromProcedures() {
    CatalogState made =
        with(
            with(CatalogState.EMPTY, Samples.createSchema("shop")),
            new CatalogCommand.PutFunction(Samples.function("shop", "Pay"), ""));
    assertTrue(made.catalog().hasFunctions());
    assertEquals(
        Samples.function("shop", "Pay"), made.catalog().function("shop", "pAY").orElseThrow());
    CatalogState both =
        with(
            with(made, new CatalogCommand.PutSchema("shop", "latin1", "latin1_bin", 3)),
            new CatalogCommand.PutProcedure(Samples.procedure("shop", "pay"), ""));
    assertTrue(both.catalog().function("shop", "pay").isPresent());
    refused(
        ErrorCode.ER_SP_DOES_NOT_EXIST,
        both,
        new CatalogCommand.DropFunction("shop", "other", true));
    refused(
        ErrorCode.ER_BAD_DB_ERROR,
        both,
        new CatalogCommand.PutFunction(Samples.function("none", "f"), ""));
    CatalogState dropped = with(both, new CatalogCommand.DropFunction("shop", "PAY", true));
    assertTrue(dropped.catalog().function("shop", "pay").isEmpty());
    assertFalse(dropped.catalog().hasFunctions());
    assertTrue(dropped.catalog().procedure("shop", "pay").isPresent());
  }

  @Test
  void viewsComeAndGoBesideTheTables() {
    CatalogState state =
        with(
            GROUND,
            new CatalogCommand.PutTable(Samples.table(1, "shop", "t")),
            new CatalogCommand.PutView(Samples.view("shop", "v")));
    assertEquals(Samples.view("shop", "v"), state.catalog().view("shop", "v").orElseThrow());
    assertTrue(state.catalog().hasViews());
    refused(
        ErrorCode.ER_TABLE_EXISTS_ERROR,
        state,
        new CatalogCommand.PutView(Samples.view("shop", "t")));
    refused(
        ErrorCode.ER_TABLE_EXISTS_ERROR,
        state,
        new CatalogCommand.PutTable(Samples.table(2, "shop", "v")));
    refused(ErrorCode.ER_BAD_TABLE_ERROR, state, new CatalogCommand.DropTable("shop", "v"));
    refused(ErrorCode.ER_BAD_TABLE_ERROR, state, new CatalogCommand.DropView("shop", "t"));
    refused(
        ErrorCode.ER_BAD_DB_ERROR, state, new CatalogCommand.PutView(Samples.view("none", "v")));
    CatalogState kept =
        with(
            state,
            new CatalogCommand.DropTable("shop", "t"),
            new CatalogCommand.PutSchema("shop", "latin1", "latin1_bin", 3));
    assertEquals(state.catalog().view("shop", "v"), kept.catalog().view("shop", "v"));
    CatalogState dropped = with(kept, new CatalogCommand.DropView("shop", "v"));
    assertFalse(dropped.catalog().hasViews());
    assertEquals(kept.catalog().version() + 1, dropped.catalog().version());
  }

  @Test
  void triggersGoWithTheirTable() {
    Table table = Samples.table(1, "shop", "t").withTriggers(List.of(Samples.trigger("g")));
    CatalogState state = with(GROUND, new CatalogCommand.PutTable(table));
    CatalogState renamed = with(state, new CatalogCommand.PutTable(table.withName("n")));
    assertEquals(
        List.of(Samples.trigger("g")),
        renamed.catalog().table("shop", "n").orElseThrow().triggers());
    assertEquals(table.triggers(), table.withId(2).withColumnIndexes(List.of()).triggers());
    CatalogState without = with(state, new CatalogCommand.PutTable(table.withTriggers(List.of())));
    assertEquals(List.of(), without.catalog().table("shop", "t").orElseThrow().triggers());
    assertEquals(state.catalog().version() + 1, without.catalog().version());
  }

  @Test
  void aTableWithTheSameIdIsReplacedWhateverItsName() {
    CatalogState state =
        with(
            GROUND,
            new CatalogCommand.PutTable(Samples.table(1, "shop", "old")),
            new CatalogCommand.PutTable(Samples.table(1, "shop", "new")));
    assertTrue(state.catalog().table("shop", "old").isEmpty());
    assertEquals(1, state.catalog().table("shop", "new").orElseThrow().id());
  }

  @Test
  void aTableMovesToAnotherSchema() {
    CatalogState state =
        with(
            GROUND,
            new CatalogCommand.PutTable(Samples.table(1, "shop", "t")),
            Samples.createSchema("attic"));
    refused(
        ErrorCode.ALRAI_CATALOG_CONFLICT,
        state,
        new CatalogCommand.PutTable(Samples.table(1, "attic", "t")));
    CatalogState prepared =
        with(
            with(state, new CatalogCommand.DropTable("shop", "t")),
            new CatalogCommand.DropTableGroup("shop", 7),
            new CatalogCommand.PutTableGroup("attic", Samples.group(7, "tg", "a_1", "a_2")),
            new CatalogCommand.PutTable(Samples.table(1, "attic", "t")));
    assertTrue(prepared.catalog().table("attic", "t").isPresent());
    assertTrue(prepared.catalog().table("shop", "t").isEmpty());
  }

  @Test
  void aTableNeedsItsTableGroup() {
    CatalogState state =
        with(
            GROUND,
            new CatalogCommand.PutTableGroup("shop", Samples.group(8, "one", "shop_p00003")));
    CatalogState empty = with(state, new CatalogCommand.DropTableGroup("shop", 7));
    refused(
        ErrorCode.ALRAI_CATALOG_CONFLICT,
        empty,
        new CatalogCommand.PutTable(Samples.table(1, "shop", "t")));
    CatalogState wrongCount =
        with(
            empty, new CatalogCommand.PutTableGroup("shop", Samples.group(7, "tg", "shop_p00009")));
    refused(
        ErrorCode.ALRAI_CATALOG_CONFLICT,
        wrongCount,
        new CatalogCommand.PutTable(Samples.table(1, "shop", "t")));
  }

  @Test
  void aTableGroupIsDroppedOnlyWhenEmpty() {
    CatalogState state = with(GROUND, new CatalogCommand.PutTable(Samples.table(1, "shop", "t")));
    CatalogCommand drop = new CatalogCommand.DropTableGroup("shop", 7);
    refused(ErrorCode.ALRAI_CATALOG_CONFLICT, state, drop);
    CatalogState dropped = with(state, new CatalogCommand.DropTable("shop", "t"), drop);
    assertTrue(dropped.catalog().schema("shop").orElseThrow().tableGroups().isEmpty());
    assertSame(dropped.catalog(), dropped.apply(drop).catalog());
  }

  @Test
  void tableGroupsDoNotShareNamesIdsOrPhysicalSchemas() {
    CatalogState state = with(GROUND, Samples.createSchema("b"));
    for (CatalogCommand command :
        List.of(
            new CatalogCommand.PutTableGroup("shop", Samples.group(8, "tg", "x")),
            new CatalogCommand.PutTableGroup("b", Samples.group(7, "x", "x")),
            new CatalogCommand.PutTableGroup("b", Samples.group(8, "x", "shop_p00002")),
            new CatalogCommand.PutTableGroup("b", Samples.group(8, "x", "y", "y")),
            new CatalogCommand.PutTableGroup("b", Samples.group(8, "x")),
            new CatalogCommand.PutTableGroup(
                "b",
                new TableGroup(
                    8,
                    "x",
                    "",
                    List.of(new PartitionGroup(0, new PhysicalSchema("z"), new DnId("dn-9"))))))) {
      refused(ErrorCode.ALRAI_CATALOG_CONFLICT, state, command);
    }
    with(state, new CatalogCommand.PutTableGroup("b", Samples.group(8, "tg", "x")));
  }

  @Test
  void whatIsThereAlreadyRaisesNoVersion() {
    CatalogState state =
        with(
            GROUND,
            new CatalogCommand.PutTable(Samples.table(1, "shop", "t")),
            new CatalogCommand.PutSetting("a", "1"),
            new CatalogCommand.PutAccount(
                Account.of("root", "%", Credential.NONE, false, Grants.ALL)));
    for (CatalogCommand again :
        List.of(
            new CatalogCommand.PutDataNode(new DataNode(Samples.DN1, DataNode.EMBEDDED)),
            new CatalogCommand.PutTable(Samples.table(1, "shop", "t")),
            new CatalogCommand.PutSchema("shop", "utf8mb4", "utf8mb4_0900_ai_ci", 2),
            new CatalogCommand.PutTableGroup(
                "shop", Samples.group(7, "tg", "shop_p00001", "shop_p00002")),
            new CatalogCommand.PutSetting("a", "1"),
            new CatalogCommand.PutSetting("b", ""),
            new CatalogCommand.PutAccount(
                Account.of("root", "%", Credential.NONE, false, Grants.ALL)))) {
      assertSame(state.catalog(), state.apply(again).catalog(), again.toString());
    }
  }

  @Test
  void aDataNodeGetsANewAddress() {
    CatalogState state =
        with(GROUND, new CatalogCommand.PutDataNode(new DataNode(Samples.DN1, "host:1")));
    assertEquals(
        List.of(new DataNode(Samples.DN1, "host:1"), new DataNode(Samples.DN2, "embedded")),
        state.catalog().dataNodes());
  }

  @Test
  void aStrangeDataNodeIsRefusedWhereThereIsData() {
    DataNode strange = new DataNode(new DnId("dn-3"), "host:3");
    CatalogCommand register = new CatalogCommand.RegisterDataNode(strange);
    assertEquals(List.of(strange), CatalogState.EMPTY.apply(register).catalog().dataNodes());
    refused(ErrorCode.ER_NOT_SUPPORTED_YET, GROUND, register);
    CatalogState known =
        with(GROUND, new CatalogCommand.RegisterDataNode(new DataNode(Samples.DN1, "host:1")));
    assertEquals(
        Optional.of("host:1"), known.catalog().dataNode(Samples.DN1).map(DataNode::address));
    CatalogState making =
        with(
            CatalogState.EMPTY, new CatalogCommand.PutJob(Samples.job(1, Samples.CN1, "shop", "")));
    refused(ErrorCode.ER_NOT_SUPPORTED_YET, making, register);
    CatalogState empty = with(GROUND, new CatalogCommand.DropSchema("shop"));
    assertEquals(3, empty.apply(register).catalog().dataNodes().size());
  }

  /** Logs of older versions say so, and go on with tables there. */
  @Test
  void aDataNodeThatWasLetInOnceIsThere() {
    CatalogState state =
        with(GROUND, new CatalogCommand.PutDataNode(new DataNode(new DnId("dn-3"), "host:3")));
    assertEquals(3, state.catalog().dataNodes().size());
  }

  @Test
  void accountsAndSettingsComeAndGo() {
    CatalogState state =
        with(
            GROUND,
            new CatalogCommand.PutAccount(
                Account.of("ann", "%", Credential.old("BB"), false, Grants.ALL)),
            new CatalogCommand.PutAccount(
                Account.of("ann", "localhost", Credential.NONE, true, Grants.NONE)),
            new CatalogCommand.PutSetting("max", "5"));
    assertEquals(2, state.catalog().accountsOf("ann").size());
    assertEquals("5", state.catalog().settings().get("max"));
    CatalogState less =
        with(
            state,
            new CatalogCommand.DropAccount("ann", "%"),
            new CatalogCommand.PutSetting("max", ""));
    assertEquals(1, less.catalog().accountsOf("ann").size());
    assertTrue(less.catalog().settings().isEmpty());
    refused(ErrorCode.ER_CANNOT_USER, less, new CatalogCommand.DropAccount("ann", "%"));
  }

  @Test
  void privilegesAreChangedAndNotReplaced() {
    GrantChange select =
        GrantChange.of(GrantScope.ofTable("shop", "t"), Set.of(Privilege.SELECT), List.of(), false);
    GrantChange drop =
        GrantChange.of(GrantScope.ofSchema("shop"), Set.of(Privilege.DROP), List.of(), false);
    Account ann = Account.of("ann", "%", Credential.old("BB"), false, Grants.NONE);
    CatalogState made = with(GROUND, new CatalogCommand.CreateAccount(ann));
    assertEquals(Grants.NONE, made.catalog().accounts().get("ann@%").grants());
    CatalogState granted =
        with(
            made,
            new CatalogCommand.Grant("ann", "%", select),
            new CatalogCommand.Grant("ann", "%", drop));
    Grants both = Grants.NONE.granted(select).granted(drop);
    assertEquals(both, granted.catalog().accounts().get("ann@%").grants());
    assertEquals(made.catalog().version() + 2, granted.catalog().version());
    assertSame(
        granted.catalog(), granted.apply(new CatalogCommand.Grant("ann", "%", drop)).catalog());
    CatalogState altered =
        with(
            granted,
            new CatalogCommand.AlterAccount(
                Account.of("ann", "%", Credential.old("DD"), true, Grants.ALL)));
    assertEquals(
        Account.of("ann", "%", Credential.old("DD"), true, both),
        altered.catalog().accounts().get("ann@%"));
    CatalogState fewer = with(altered, new CatalogCommand.Revoke("ann", "%", select));
    assertEquals(Grants.NONE.granted(drop), fewer.catalog().accounts().get("ann@%").grants());
    CatalogState none = with(fewer, new CatalogCommand.RevokeAll("ann", "%"));
    assertEquals(Grants.NONE, none.catalog().accounts().get("ann@%").grants());
  }

  @Test
  void accountsThatAreNotThereAreRefused() {
    GrantChange change =
        GrantChange.of(GrantScope.GLOBAL, Set.of(Privilege.SELECT), List.of(), false);
    Account ann = Account.of("ann", "%", Credential.NONE, false, Grants.NONE);
    refused(ErrorCode.ER_CANNOT_USER, GROUND, new CatalogCommand.AlterAccount(ann));
    refused(
        ErrorCode.ER_CANT_CREATE_USER_WITH_GRANT,
        GROUND,
        new CatalogCommand.Grant("ann", "%", change));
    refused(ErrorCode.ER_NONEXISTING_GRANT, GROUND, new CatalogCommand.Revoke("ann", "%", change));
    refused(ErrorCode.ER_NONEXISTING_GRANT, GROUND, new CatalogCommand.RevokeAll("ann", "%"));
    CatalogState made = with(GROUND, new CatalogCommand.CreateAccount(ann));
    refused(ErrorCode.ER_CANNOT_USER, made, new CatalogCommand.CreateAccount(ann));
  }

  @Test
  void leasesAndJobsRaiseNoVersion() {
    CatalogState state =
        with(
            GROUND,
            Samples.renew(Samples.CN1, 1, 5000),
            new CatalogCommand.PutJob(Samples.job(1, Samples.CN1, "shop", "t")));
    assertEquals(GROUND.catalog().version(), state.catalog().version());
    assertEquals(1, state.catalog().computeNodes().size());
    assertEquals(1, state.catalog().jobs().size());
  }

  @Test
  void sequencesStartAtOneAndNeverGoBack() {
    CatalogState state = CatalogState.EMPTY;
    assertEquals(new SequenceRange(1, 1), state.next("s", 1));
    state = state.raise("s", 1);
    assertEquals(new SequenceRange(2, 11), state.next("s", 10));
    state = state.raise("s", 100).raise("s", 50);
    assertEquals(new SequenceRange(101, 101), state.next("s", 1));
    assertEquals(new SequenceRange(1, 1), state.next("other", 1));
  }

  @Test
  void sequencesRefuseWhatTheyCannotGive() {
    CatalogState full = CatalogState.EMPTY.raise("s", Long.MAX_VALUE - 1);
    assertEquals(Long.MAX_VALUE, full.next("s", 1).last());
    assertThrows(AlraiException.class, () -> full.next("s", 2));
    assertThrows(AlraiException.class, () -> full.next("s", 0));
    assertThrows(AlraiException.class, () -> full.next("s", -5));
  }

  @Test
  void aTablesSequenceGoesWithIt() {
    CatalogState state =
        with(
                GROUND,
                new CatalogCommand.PutTable(Samples.table(1, "shop", "t")),
                new CatalogCommand.PutTable(Samples.table(2, "shop", "u")))
            .raise("auto:1", 9)
            .raise("auto:2", 9)
            .raise("table-id", 2);
    CatalogState dropped = with(state, new CatalogCommand.DropTable("shop", "t"));
    assertEquals(1, dropped.next("auto:1", 1).first());
    assertEquals(10, dropped.next("auto:2", 1).first());
    CatalogState gone = with(dropped, new CatalogCommand.DropSchema("shop"));
    assertEquals(1, gone.next("auto:2", 1).first());
    assertEquals(3, gone.next("table-id", 1).first());
  }

  /** Numbers that may have been given are left out, but for ids of rows. */
  @Test
  void aGenerationBeginsAboveAllVersions() {
    CatalogState before =
        CatalogState.EMPTY
            .apply(Samples.ground())
            .raise("schema", 5)
            .raise("auto:1", 7)
            .raise("partition-group:a", 9);
    CatalogState after = before.apply(new CatalogCommand.BeginGeneration(3));
    assertEquals(3L << 32, after.catalog().version());
    assertEquals(before.catalog().schemas(), after.catalog().schemas());
    assertEquals(
        Map.of("schema", 1005L, "auto:1", 7L, "partition-group:a", 1009L), after.sequences());
    assertEquals((3L << 32) + 1, after.apply(Samples.createSchema("next")).catalog().version());
  }
}
