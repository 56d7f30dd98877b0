package io.alrai.cn.force;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.thread.Pause;
import io.alrai.dn.link.DnMembers;
import io.alrai.dn.link.GroupOutlook;
import io.alrai.dn.link.GroupOutlook.Other;
import io.alrai.dn.link.MemberStatus;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.GmsService;
import io.alrai.gms.api.node.DataNode;
import io.alrai.gms.api.node.DnMember;
import io.alrai.gms.api.node.ForcedGroup;
import io.alrai.gms.topology.LinkedNodes;
import io.alrai.gms.topology.LinkedNodes.Unaware;
import io.alrai.optimizer.api.MembersStatement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * ALTER SYSTEM FORCE LEADER. Nobody counts as ended whom it has not named before. Blocking; any
 * number of threads.
 */
public final class ForceLeader {
  private static final Logger log = LoggerFactory.getLogger(ForceLeader.class);

  /** What a member does that may become the group. */
  private static final String FOLLOWS = "FOLLOWING";

  private static final Duration BOUND = Duration.ofMinutes(2);
  private static final long LOOK_MILLIS = 200;
  private static final long ASK_MILLIS = 1_000;

  /** How many names a sentence has: clients cut long ones. */
  private static final int NAMES = 10;

  private final GmsService gms;
  private final Supplier<Map<DnId, DnMembers>> groups;
  private final LongSupplier wallMillis;

  /** Whom it has named last as waited for. */
  private final Map<Awaited, List<String>> named = new ConcurrentHashMap<>();

  /** A generation of a DN's group that is to begin. */
  private record Awaited(DnId dn, long generation) {}

  /**
   * Statements of one CN.
   *
   * @param groups the members of all DNs
   */
  public ForceLeader(
      GmsService gms, Supplier<Map<DnId, DnMembers>> groups, LongSupplier wallMillis) {
    this.gms = gms;
    this.groups = groups;
    this.wallMillis = wallMillis;
  }

  /**
   * Makes one member the group; returns when it leads alone.
   *
   * @throws AlraiException ALRAI_NODE_UNAVAILABLE with why it must not be, with what would be lost
   *     where that was not accepted, and with whom it waits for
   */
  public void run(MembersStatement.ForceLeader statement) {
    Catalog catalog = gms.catalog();
    DataNode node =
        catalog.dataNodes().stream()
            .filter(each -> each.id().name().equals(statement.dn())) // which may be no name of a DN
            .findFirst()
            .orElseThrow(() ->
                refusal(
                    "there is no DN '"
                        + statement.dn()
                        + "': there are "
                        + some(
                            catalog.dataNodes().stream().map(each -> each.id().name()).toList())));
    DnMembers members = groups.get().get(node.id());
    if (members == null || !members.names().contains(statement.member()) || node.term() == 0) {
      throw refusal(
          node.id()
              + " has no member '"
              + statement.member()
              + "' that keeps rows beside others; those that do are "
              + (members == null || node.term() == 0 ? List.of() : members.names()));
    }
    boolean again = node.awaitsSurvivor() && node.forced().survivor().equals(statement.member());
    CatalogCommand.ForceGroup force =
        again ? again(catalog, node) : first(catalog, node, members, statement.member());
    if (!statement.acceptsLoss()) {
      throw refusal(again ? waiting(node, catalog) : outlook(catalog, node, force));
    }
    log.warn("{} is made the group of {}: {}", force.survivor(), node.id(), force);
    gms.submit(force);
    await(members, force);
  }

  /**
   * It was decided, and goes on: those that were named, and have no lease, are said to have ended.
   */
  private CatalogCommand.ForceGroup again(Catalog catalog, DataNode node) {
    ForcedGroup forced = node.forced();
    List<String> ended = named.getOrDefault(new Awaited(node.id(), forced.generation()), List.of());
    return new CatalogCommand.ForceGroup(
        node.id(),
        forced.generation(),
        forced.survivor(),
        forced.after(),
        unleased(catalog, forced).stream().filter(ended::contains).toList(),
        0);
  }

  private CatalogCommand.ForceGroup first(
      Catalog catalog, DataNode node, DnMembers members, String member) {
    requireFit(member, answer(members.ask(member), member + " does not answer"));
    GroupOutlook outlook = answer(members.outlook(member), member + " does not answer");
    requireLost(node, member, outlook);
    requireNoLeader(node, members, member);
    return new CatalogCommand.ForceGroup(
        node.id(),
        Math.max(node.forced().generation(), outlook.generation()) + 1,
        member,
        new ForcedGroup.Last(outlook.term(), outlook.index(), outlook.writtenMillis()),
        List.of(),
        0);
  }

  private static void requireFit(String member, MemberStatus status) {
    if (status.leads()) {
      throw refusal(member + " leads already");
    }
    if (!status.state().equals(FOLLOWS) || status.unapplied() == MemberStatus.UNKNOWN) {
      throw refusal(
          member
              + " cannot become the group while it is "
              + status.state()
              + (status.error().isEmpty() ? "" : " (" + status.error() + ")")
              + ": nobody knows that it has all rows of its log");
    }
  }

  private static void requireLost(DataNode node, String member, GroupOutlook outlook) {
    List<String> answer =
        outlook.others().stream().filter(Other::answers).map(Other::name).toList();
    if (outlook.hasMajority()) {
      throw refusal(
          member
              + " and "
              + answer
              + " are a majority of the group of "
              + node.id()
              + ": wait until one of them leads, or see why not; DROP NODE and ADD replace others");
    }
    for (Other other : outlook.others()) {
      boolean later =
          other.term() != outlook.term()
              ? other.term() > outlook.term()
              : other.index() > outlook.index();
      if (other.answers() && later) {
        throw refusal(
            other.name()
                + " answers and has a later entry: "
                + other.index()
                + " of term "
                + other.term()
                + ", where "
                + member
                + " has "
                + outlook.index()
                + " of term "
                + outlook.term());
      }
    }
  }

  /** One that does not hear the others may be heard here, and another one leads them. */
  private static void requireNoLeader(DataNode node, DnMembers members, String member) {
    List<CompletableFuture<MemberStatus>> asked =
        members.names().stream()
            .filter(name -> !name.equals(member))
            .map(name -> members.ask(name).copy().orTimeout(ASK_MILLIS, TimeUnit.MILLISECONDS))
            .toList();
    for (CompletableFuture<MemberStatus> each : asked) {
      try {
        MemberStatus status = each.join();
        if (status.leads()) {
          throw refusal(
              status.name()
                  + " leads "
                  + node.id()
                  + " and answers: see why "
                  + member
                  + " does not reach it; CHANGE_ROLE changes who leads in order");
        }
      } catch (CompletionException silent) {
        log.debug("{}: one of its members does not answer", node.id(), silent);
      }
    }
  }

  /**
   * Those that hold no lease by the time of the GMS' leader, and may believe the old group: they
   * must have ended.
   */
  private List<String> unleased(Catalog catalog, ForcedGroup forced) {
    List<Unaware> unaware = LinkedNodes.unaware(catalog, forced);
    if (unaware.isEmpty()) {
      return List.of();
    }
    long now = gms.timestamps(1).millis();
    return unaware.stream().filter(each -> !each.leased(now)).map(Unaware::name).toList();
  }

  private String outlook(Catalog catalog, DataNode node, CatalogCommand.ForceGroup force) {
    List<String> dropped =
        node.members().stream()
            .filter(each -> each.keeps() != DnMember.Keeps.LEARNER)
            .map(DnMember::name)
            .filter(name -> !name.equals(force.survivor()))
            .toList();
    ForcedGroup next =
        new ForcedGroup(
            force.generation(), force.survivor(), Long.MAX_VALUE, force.after(), 0, dropped);
    List<String> ended = unleased(catalog, next);
    return "nothing has changed; to do it, add ACCEPT DATA LOSS. "
        + force.survivor()
        + " would be all of "
        + node.id()
        + ", and lose what was committed after its "
        + force.after().sentence()
        + ". "
        + some(dropped)
        + " would be dropped for good"
        + (ended.isEmpty() ? "" : "; " + some(ended) + " must have ended, too");
  }

  private String waiting(DataNode node, Catalog catalog) {
    String awaited = awaited(catalog, node);
    return node.forced().survivor()
        + " becomes the group of "
        + node.id()
        + " already"
        + (awaited.isEmpty()
            ? ", "
            : ", and waits for "
                + awaited
                + ": when they have ended, add ACCEPT DATA LOSS. It was ")
        + node.forced().sentence();
  }

  /** Names those who are waited for; empty for nobody. Only they count as ended the next time. */
  private String awaited(Catalog catalog, DataNode node) {
    List<String> all = unleased(catalog, node.forced());
    named.put(
        new Awaited(node.id(), node.forced().generation()),
        all.subList(0, Math.min(NAMES, all.size())));
    return all.isEmpty() ? "" : some(all);
  }

  private static String some(List<String> all) {
    return all.size() <= NAMES
        ? all.toString()
        : all.subList(0, NAMES) + " and " + (all.size() - NAMES) + " more";
  }

  private void await(DnMembers members, CatalogCommand.ForceGroup force) {
    long since = wallMillis.getAsLong();
    while (true) {
      Catalog catalog = gms.catalog();
      DataNode node = catalog.dataNode(force.dn()).orElseThrow();
      if (leads(members, force)) {
        return;
      }
      String awaited = node.awaitsSurvivor() ? awaited(catalog, node) : "";
      if (!awaited.isEmpty()) {
        throw refusal(
            "repeat the statement when "
                + awaited
                + " have ended, who may believe the old group of "
                + force.dn()
                + ": "
                + force.survivor()
                + " becomes the group, and waits for them");
      }
      if (wallMillis.getAsLong() - since > BOUND.toMillis()) {
        throw refusal(
            force.survivor()
                + " becomes the group of "
                + force.dn()
                + " by itself, and has not within "
                + BOUND.toMinutes()
                + " minutes: its log says why");
      }
      Pause.ofMillis(LOOK_MILLIS);
    }
  }

  private static boolean leads(DnMembers members, CatalogCommand.ForceGroup force) {
    try {
      return Optional.of(members.ask(force.survivor()).join())
          .filter(status -> status.leads() && status.term() >> 32 >= force.generation())
          .isPresent();
    } catch (CompletionException startsAgain) {
      return false;
    }
  }

  private static <T> T answer(CompletableFuture<T> asked, String silent) {
    try {
      return asked.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof AlraiException known
          ? refusal(silent + ": " + known.sentence())
          : refusal(silent);
    }
  }

  private static AlraiException refusal(String sentence) {
    return new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, sentence);
  }
}
