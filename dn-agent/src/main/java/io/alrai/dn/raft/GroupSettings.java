package io.alrai.dn.raft;

import io.alrai.common.net.HostPort;
import io.alrai.raft.MemberLinks;
import io.alrai.raft.PortlessRpc;
import io.alrai.raft.RaftProcess;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.rpc.SupportedRpcType;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ratis' settings for a log that every commit waits for: no pauses between messages, and nothing
 * counts as written before it is synced.
 */
final class GroupSettings {
  private static final Logger log = LoggerFactory.getLogger(GroupSettings.class);

  /** The largest entry: a piece of a transaction of 1 MiB, and as much again. */
  static final int ENTRY_MAX = 2 << 20;

  /** What Ratis and {@link EntryTerm} put around an entry, at most. */
  private static final int ENVELOPE = 1_024;

  private static final SizeInBytes UNDER_WAY = SizeInBytes.valueOf("64MB");
  private static final long PREALLOCATED = 4 << 20;
  private static final Duration STEP_DOWN = Duration.ofSeconds(1);

  private GroupSettings() {}

  static RaftProperties of(GroupConfig config) {
    RaftProperties settings = new RaftProperties();
    RaftServerConfigKeys.setStorageDir(settings, List.of(config.directory().toFile()));
    log(settings, config.bounds());
    times(settings, config);
    String address = config.own().address();
    if (address.isEmpty()) {
      RaftConfigKeys.Rpc.setType(settings, new PortlessRpc());
    } else {
      grpc(settings, address);
    }
    return settings;
  }

  /** How members speak to each other: with the cluster's secret, where it has one. */
  static Parameters links(GroupConfig config) {
    return config
        .secret()
        .map(secret ->
            MemberLinks.parameters(secret, sentence -> log.warn("{}: {}", config.name(), sentence)))
        .orElseGet(Parameters::new);
  }

  private static void log(RaftProperties settings, LogBounds bounds) {
    SizeInBytes buffer = SizeInBytes.valueOf(ENTRY_MAX + 2 * ENVELOPE);
    RaftServerConfigKeys.Log.setSegmentSizeMax(
        settings, SizeInBytes.valueOf(bounds.segmentBytes()));
    RaftServerConfigKeys.Log.setPreallocatedSize(
        settings, SizeInBytes.valueOf(Math.min(PREALLOCATED, bounds.segmentBytes())));
    RaftServerConfigKeys.Log.setWriteBufferSize(settings, buffer);
    RaftServerConfigKeys.Log.setQueueByteLimit(settings, UNDER_WAY);
    RaftServerConfigKeys.Log.setQueueElementLimit(settings, 65_536);
    RaftServerConfigKeys.Log.setSegmentCacheNumMax(settings, 2);
    RaftServerConfigKeys.Log.setSegmentCacheSizeMax(settings, SizeInBytes.valueOf("64MB"));
    // else every commit is followed by an entry that says so
    RaftServerConfigKeys.Log.setLogMetadataEnabled(settings, false);
    // else entries of a message wait until those of the one before are synced, and each has a sync
    RaftServerConfigKeys.Log.setAppendEntriesComposeEnabled(settings, false);
    RaftServerConfigKeys.Log.Appender.setBufferByteLimit(
        settings, SizeInBytes.valueOf(ENTRY_MAX + ENVELOPE));
    RaftServerConfigKeys.Log.Appender.setWaitTimeMin(settings, TimeDuration.ZERO);
    RaftServerConfigKeys.Log.Appender.setRetryPolicy(settings, RaftProcess.APPENDER_RETRIES);
    RaftServerConfigKeys.Write.setByteLimit(settings, UNDER_WAY);
    RaftServerConfigKeys.Write.setElementLimit(settings, 65_536);
    // the state machine says up to where nobody needs the log
    RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(settings, true);
    RaftServerConfigKeys.Snapshot.setAutoTriggerThreshold(settings, bounds.lookEvery());
    RaftServerConfigKeys.Snapshot.setRetentionFileNum(settings, 2);
    // nor what another member has not: it is kept for it
    RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(settings, false);
    RaftServerConfigKeys.Log.setPurgeGap(settings, 1);
    // so everybody has the first entry that is kept, and a joiner begins after it
    RaftServerConfigKeys.Log.setPurgePreservationLogNum(settings, 1);
    // rows are not copied through the log
    RaftServerConfigKeys.Log.Appender.setInstallSnapshotEnabled(settings, false);
    // one thread: entries are written in the order in which they were given, and not by an event
    // loop
    RaftServerConfigKeys.ThreadPool.setClientCached(settings, false);
    RaftServerConfigKeys.ThreadPool.setClientSize(settings, 1);
    // entries are never sent a second time, so their answers need not be kept
    RaftServerConfigKeys.RetryCache.setExpiryTime(settings, millis(1_000));
  }

  private static void times(RaftProperties settings, GroupConfig config) {
    TimeDuration min = millis(config.electionMin().toMillis());
    TimeDuration max = millis(config.electionMax().toMillis());
    RaftServerConfigKeys.Rpc.setTimeoutMin(settings, min);
    RaftServerConfigKeys.Rpc.setTimeoutMax(settings, max);
    RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(settings, min);
    RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(settings, max);
    RaftServerConfigKeys.Rpc.setRequestTimeout(settings, millis(3_000));
    RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(
        settings, millis(STEP_DOWN.toMillis()));
    // a machine that slept must not find its log closed when it wakes
    RaftServerConfigKeys.setCloseThreshold(settings, TimeDuration.valueOf(3650, TimeUnit.DAYS));
  }

  private static void grpc(RaftProperties settings, String address) {
    RaftConfigKeys.Rpc.setType(settings, SupportedRpcType.GRPC);
    HostPort place = HostPort.parse(address);
    GrpcConfigKeys.Server.setHost(settings, place.host());
    GrpcConfigKeys.Server.setPort(settings, place.port());
    GrpcConfigKeys.Server.setAsyncRequestThreadPoolCached(settings, false);
    GrpcConfigKeys.Server.setAsyncRequestThreadPoolSize(settings, 2);
    GrpcConfigKeys.setMessageSizeMax(settings, SizeInBytes.valueOf("64MB"));
    GrpcConfigKeys.setFlowControlWindow(settings, SizeInBytes.valueOf("4MB"));
  }

  private static TimeDuration millis(long millis) {
    return TimeDuration.valueOf(millis, TimeUnit.MILLISECONDS);
  }
}
