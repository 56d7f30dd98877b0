package io.alrai.cn.branch;

import io.alrai.cn.settings.SessionSettings;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.DnLink;
import io.alrai.dn.link.DnMembers;
import io.netty.channel.EventLoop;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** A CN's links by DN. Thread-safe. */
public final class DnLinks {
  private final Map<DnId, DnLink> links = new ConcurrentSkipListMap<>();

  /** Adds a link, or replaces the one to the same DN. */
  public void put(DnLink link) {
    links.put(link.dn(), link);
  }

  /**
   * The link to a DN.
   *
   * @throws AlraiException ALRAI_NODE_UNAVAILABLE when there is none
   */
  public DnLink link(DnId dn) {
    DnLink link = links.get(dn);
    if (link == null) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE, "this CN has no link to " + dn + " yet");
    }
    return link;
  }

  /** Takes a branch, see {@link DnLink#take}; is refused one where there is no link. */
  public void take(
      DnId dn, EventLoop loop, BackendAccount account, String schema, BranchTaker taker) {
    take(dn, loop, account, schema, null, taker);
  }

  /** Takes a branch for a taker that gives it these settings. */
  public void take(
      DnId dn,
      EventLoop loop,
      BackendAccount account,
      String schema,
      @Nullable SessionSettings settings,
      BranchTaker taker) {
    DnLink link;
    try {
      link = link(dn);
    } catch (AlraiException none) {
      taker.refused(none);
      return;
    }
    link.take(loop, account, schema, settings, taker);
  }

  /** All DNs, by name. */
  public List<DnId> dns() {
    return List.copyOf(links.keySet());
  }

  /** The links, by name of their DN. */
  public List<DnLink> all() {
    return List.copyOf(links.values());
  }

  /** The members of each DN, by its name. */
  public Map<DnId, DnMembers> members() {
    Map<DnId, DnMembers> members = new LinkedHashMap<>();
    links.forEach((dn, link) -> members.put(dn, link.members()));
    return members;
  }

  /**
   * Any DN whose leader and mysqld answer, each as often as the others; where none does, any whose
   * leader does, else any of all.
   */
  public DnId any() {
    List<DnId> whole =
        links.values().stream().filter(DnLink::mysqldAnswers).map(DnLink::dn).toList();
    List<DnId> some = whole.isEmpty() ? answering() : whole;
    return some.get(ThreadLocalRandom.current().nextInt(some.size()));
  }

  /**
   * The first DN whose leader answers; the first of all where none does. Shadows are changed in
   * this order.
   */
  public DnId first() {
    return answering().getFirst();
  }

  private List<DnId> answering() {
    List<DnId> answering = links.values().stream().filter(DnLink::answers).map(DnLink::dn).toList();
    List<DnId> some = answering.isEmpty() ? dns() : answering;
    if (some.isEmpty()) {
      throw new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, "the cluster has no DN yet");
    }
    return some;
  }
}
