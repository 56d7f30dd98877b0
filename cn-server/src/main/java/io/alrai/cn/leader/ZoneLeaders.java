package io.alrai.cn.leader;

import io.alrai.cn.system.DnGroups;
import io.alrai.cn.system.MemberAnswer;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.dn.link.DnMembers;
import io.alrai.dn.link.MemberStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets the members of a zone lead. Blocking; any thread. */
public final class ZoneLeaders {
  private static final Logger log = LoggerFactory.getLogger(ZoneLeaders.class);

  private ZoneLeaders() {}

  /**
   * Has members of a zone lead all groups that have one there, one group after the other.
   *
   * @return a sentence for each group that somebody else leads still
   * @throws AlraiException 1231 where no member at all is in the zone; the reason of the first
   *     group where none could change
   */
  public static List<String> lead(DnGroups groups, String zone) {
    requireKnown(groups, zone);
    List<String> others = new ArrayList<>();
    Optional<AlraiException> first = Optional.empty();
    int led = 0;
    for (var group : groups.dns().entrySet()) {
      try {
        move(group.getKey(), group.getValue(), groups, zone);
        led++;
      } catch (AlraiException why) {
        others.add(group.getKey() + ": " + why.sentence());
        first = first.or(() -> Optional.of(why));
      }
    }
    if (led == 0 && first.isPresent()) {
      throw first.get();
    }
    return others;
  }

  /**
   * Requires that a member that can lead is in a zone.
   *
   * @throws AlraiException 1231 with the zones that there are
   */
  public static void requireKnown(DnGroups groups, String zone) {
    TreeSet<String> known = new TreeSet<>();
    groups
        .dns()
        .values()
        .forEach(members -> members.names().forEach(name -> known.add(groups.zone().apply(name))));
    known.remove("");
    if (!known.contains(zone)) {
      throw new AlraiException(
          ErrorCode.ER_WRONG_VALUE_FOR_VAR,
          "no member that can lead is in zone '"
              + zone
              + "': "
              + (known.isEmpty()
                  ? "nobody is in any; the configuration of an agent says zone = NAME"
                  : "the zones are " + known));
    }
  }

  /** Has a member in the zone lead one group; one that leads there stays. */
  private static void move(DnId dn, DnMembers members, DnGroups groups, String zone) {
    List<MemberAnswer> answers = MemberAnswer.ask(members);
    if (isLedIn(answers, groups, zone)) {
      return;
    }
    String to =
        fittest(answers, groups, zone)
            .orElseThrow(() ->
                new AlraiException(
                    ErrorCode.ALRAI_NODE_UNAVAILABLE,
                    "no member in zone '"
                        + zone
                        + "' can lead it now: "
                        + answers.stream()
                            .map(answer ->
                                answer.name()
                                    + " in '"
                                    + groups.zone().apply(answer.name())
                                    + "' is "
                                    + answer.state())
                            .toList()));
    LeaderChange.to(members, to);
    log.info("{} leads {}, as it is in zone {}", to, dn, zone);
  }

  /** Whether a group has a leader, and that is in a zone. */
  static boolean isLedIn(List<MemberAnswer> answers, DnGroups groups, String zone) {
    return answers.stream()
        .anyMatch(answer -> answer.leads() && groups.zone().apply(answer.name()).equals(zone));
  }

  /** Who in a zone follows and lacks least; empty where nobody does. */
  static Optional<String> fittest(List<MemberAnswer> answers, DnGroups groups, String zone) {
    return answers.stream()
        .filter(answer -> groups.zone().apply(answer.name()).equals(zone))
        .flatMap(answer -> answer.status().stream())
        .filter(status -> status.state().equals(MemberStatus.FOLLOWING))
        .filter(status -> status.error().isEmpty() && status.unapplied() >= 0)
        .min(Comparator.comparingLong(MemberStatus::unapplied))
        .map(MemberStatus::name);
  }
}
