package io.alrai.dn.gate.group;

import io.alrai.common.id.DnId;
import io.alrai.dn.gate.ModelAgent;
import io.alrai.dn.gate.ModelReplica;
import io.alrai.dn.gate.ModelViews.View;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

/** A mysqld of a group, of which views are read while it follows. */
final class GroupReplica implements ModelReplica.Fed {
  private final GroupDn dn;
  private final FedMysqld member;
  private final GroupRules rules;

  GroupReplica(GroupDn dn, FedMysqld member, GroupRules rules) {
    this.dn = dn;
    this.member = member;
    this.rules = rules;
  }

  @Override
  public DnId dn() {
    return dn.dn();
  }

  @Override
  public boolean follows() {
    return member.isFed();
  }

  @Override
  public int life() {
    return member.mysqldLife();
  }

  @Override
  public void hold() {
    if (rules.holdsForViews()) {
      member.hold(member.fed());
    }
  }

  @Override
  public boolean feedTo(BitSet place) {
    BitSet more = member.fed();
    more.andNot(place);
    if (rules.refusesWhatIsPassed() && !more.isEmpty()) {
      return false;
    }
    if (rules.holdsForViews()) {
      member.hold(place);
    }
    return true;
  }

  @Override
  public boolean has(BitSet place) {
    BitSet missing = (BitSet) place.clone();
    missing.andNot(member.engine().set());
    return missing.isEmpty();
  }

  @Override
  public void release() {
    member.hold(null);
  }

  @Override
  public Map<Integer, List<Long>> rows() {
    return member.engine().rows().visible();
  }

  @Override
  public ModelAgent leader() {
    return dn.leader();
  }

  @Override
  public BitSet place(ModelAgent leader, View view) {
    return dn.lead(leader).place(view);
  }

  @Override
  public void shown(ModelAgent leader, View view) {
    dn.checks.shown(dn.lead(leader).term, view);
    dn.shownByReplicas++;
  }

  @Override
  public boolean asksAtTheSnapshot() {
    return rules.asksAtTheSnapshot();
  }

  @Override
  public boolean awaitsThePlace() {
    return rules.awaitsThePlace();
  }

  @Override
  public boolean holdsUntilOpen() {
    return rules.holdsUntilOpen();
  }
}
