package io.alrai.cn.admin;

import io.alrai.cn.leader.LeaderChange;
import io.alrai.cn.leader.ZoneLeaders;
import io.alrai.cn.result.ResultTable;
import io.alrai.cn.settings.Diagnostics;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.system.CnParts;
import io.alrai.cn.system.DnGroups;
import io.alrai.cn.system.StorageTable;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.dn.link.DnLink;
import io.alrai.dn.link.DnMembers;
import io.alrai.gms.api.Zones;
import io.alrai.optimizer.api.MembersStatement;
import java.util.ArrayList;
import java.util.List;

/** SHOW STORAGE, and who of a DN's members leads. */
final class StorageStatements {
  private final CnParts parts;

  StorageStatements(CnParts parts) {
    this.parts = parts;
  }

  void show(StatementRun run, StorageTable table) {
    ShowStatements.write(run, table.shown(DnGroups.of(parts)));
  }

  /**
   * Lets a member lead; returns when it takes writes.
   *
   * @throws AlraiException why it cannot: its DN goes on with the leader that it has
   */
  void changeLeader(StatementRun run, String name) {
    LeaderChange.to(membersWith(name), name);
    CnAdmin.ok(run);
  }

  /** Which zone leads now, or is to lead. */
  void zones(StatementRun run, MembersStatement.OfZones statement) {
    switch (statement) {
      case MembersStatement.ChangeZone(String zone) -> {
        List<Condition> others =
            ZoneLeaders.lead(DnGroups.of(parts), zone).stream()
                .map(sentence ->
                    new Condition("Warning", ErrorCode.ALRAI_NODE_UNAVAILABLE.errno(), sentence))
                .toList();
        CnAdmin.ok(run, Diagnostics.of(others));
      }
      case MembersStatement.SetPrimaryZone(String zone) -> {
        if (!zone.isEmpty()) {
          ZoneLeaders.requireKnown(DnGroups.of(parts), zone);
        }
        parts.gms().submit(Zones.choosePrimary(zone));
        CnAdmin.ok(run);
      }
      case MembersStatement.GetPrimaryZone() ->
          ShowStatements.write(
              run,
              new ResultTable()
                  .text("NAME", 64)
                  .text("VALUE", Zones.MOST_CHARACTERS)
                  .row("PRIMARY_ZONE", Zones.primary(parts.gms().catalog())));
    }
  }

  private DnMembers membersWith(String name) {
    List<String> known = new ArrayList<>();
    for (DnLink link : parts.queries().links().all()) {
      DnMembers members = link.members();
      if (members.names().contains(name)) {
        return members;
      }
      known.addAll(members.names());
    }
    throw refusal(
        "no DN has a member '" + name + "' that keeps rows; those that can lead are " + known);
  }

  private static AlraiException refusal(String sentence) {
    return new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, sentence);
  }
}
