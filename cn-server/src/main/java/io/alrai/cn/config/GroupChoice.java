package io.alrai.cn.config;

import io.alrai.cn.settings.GlobalVariables;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.dn.link.GroupLimit;
import io.alrai.dn.link.GroupLimits;
import io.alrai.dn.raft.LogBounds;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.GmsService;
import io.alrai.gms.api.Zones;
import io.alrai.gms.client.RaftGmsClient;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Where a member of groups is, and what it bears with of others, until SET GLOBAL says it for all.
 *
 * @param retainedBytes what their logs keep for members that are away
 * @param mostLagMillis what the best follower may lag before commits wait for it; 0: as much as it
 *     likes
 * @param zone what may be lost at once with other members there; empty where nobody has said it
 */
public record GroupChoice(long retainedBytes, long mostLagMillis, String zone) {
  /** If nobody says so. */
  public static final GroupChoice USUAL =
      new GroupChoice(GroupLimit.LOG_RETENTION.usual(), GroupLimit.APPLY_LAG.usual(), "");

  public GroupChoice {
    if (zone.codePointCount(0, zone.length()) > Zones.MOST_CHARACTERS) {
      throw new AlraiException(
          ErrorCode.ER_WRONG_VALUE_FOR_VAR,
          "a zone's name has at most " + Zones.MOST_CHARACTERS + " characters, unlike " + zone);
    }
    if (zone.chars().anyMatch(c -> c == '\\' || Character.isISOControl(c))) {
      throw new AlraiException(
          ErrorCode.ER_WRONG_VALUE_FOR_VAR,
          "a zone's name has no backslash and nothing that cannot be printed");
    }
  }

  /** Says where a member is. */
  public void tellZone(GmsService gms, String member) {
    Zones.change(gms.catalog(), member, zone).ifPresent(gms::submit);
  }

  /** How long a member keeps its log. */
  LogBounds bounds() {
    return LogBounds.standard().retaining(() -> retainedBytes);
  }

  /** The limits of one process. */
  public GroupLimits limits() {
    return new GroupLimits(
        Map.of(GroupLimit.LOG_RETENTION, retainedBytes, GroupLimit.APPLY_LAG, mostLagMillis));
  }

  /** Has limits follow what the catalog says, as long as it is followed itself. */
  public static void follow(RaftGmsClient gms, GroupLimits limits) {
    gms.onChange(catalog -> follow(catalog, limits));
    follow(gms.catalog(), limits);
  }

  private static void follow(Catalog catalog, GroupLimits limits) {
    GlobalVariables globals = new GlobalVariables(catalog::settings);
    limits.follow(limit ->
        globals
            .literal(limit.variable())
            .map(Long::parseLong)
            .map(OptionalLong::of)
            .orElseGet(OptionalLong::empty));
  }
}
