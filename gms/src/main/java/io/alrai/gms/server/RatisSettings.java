package io.alrai.gms.server;

import io.alrai.common.net.HostPort;
import io.alrai.raft.PortlessRpc;
import io.alrai.raft.RaftProcess;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.rpc.SupportedRpcType;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/** Ratis' settings for a small, patient group: few threads, small buffers, quick elections. */
final class RatisSettings {
  /** The largest log entry, which bounds the largest batch of commands. */
  private static final SizeInBytes ENTRY_MAX = SizeInBytes.valueOf("4MB");

  private static final SizeInBytes SEGMENT = SizeInBytes.valueOf("4MB");

  private RatisSettings() {}

  static RaftProperties of(GmsConfig config) {
    RaftProperties settings = new RaftProperties();
    RaftServerConfigKeys.setStorageDir(settings, List.of(config.dataDir().toFile()));
    log(settings);
    snapshots(settings, config);
    timeouts(settings, config);
    if (config.address().isEmpty()) {
      RaftConfigKeys.Rpc.setType(settings, new PortlessRpc());
    } else {
      grpc(settings, config.address());
    }
    return settings;
  }

  private static void log(RaftProperties settings) {
    RaftServerConfigKeys.Log.setSegmentSizeMax(settings, SEGMENT);
    RaftServerConfigKeys.Log.setPreallocatedSize(settings, SizeInBytes.valueOf("1MB"));
    // The write buffer takes one entry whole, with its length and checksum.
    RaftServerConfigKeys.Log.Appender.setBufferByteLimit(settings, ENTRY_MAX);
    RaftServerConfigKeys.Log.setWriteBufferSize(
        settings, SizeInBytes.valueOf(ENTRY_MAX.getSize() + 64));
    RaftServerConfigKeys.Log.setQueueByteLimit(settings, SizeInBytes.valueOf("16MB"));
    RaftServerConfigKeys.Write.setByteLimit(settings, SizeInBytes.valueOf("16MB"));
    // Else every commit is followed by an entry of its own that says so, at double the cost.
    RaftServerConfigKeys.Log.setLogMetadataEnabled(settings, false);
    RaftServerConfigKeys.Log.setSegmentCacheNumMax(settings, 2);
    RaftServerConfigKeys.Log.setSegmentCacheSizeMax(settings, SizeInBytes.valueOf("8MB"));
    RaftServerConfigKeys.Log.Appender.setSnapshotChunkSizeMax(settings, SizeInBytes.valueOf("1MB"));
    RaftServerConfigKeys.Log.Appender.setRetryPolicy(settings, RaftProcess.APPENDER_RETRIES);
  }

  private static void snapshots(RaftProperties settings, GmsConfig config) {
    RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(settings, true);
    RaftServerConfigKeys.Snapshot.setAutoTriggerThreshold(settings, config.snapshotEvery());
    RaftServerConfigKeys.Snapshot.setRetentionFileNum(settings, 2);
    RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(settings, true);
    RaftServerConfigKeys.Log.setPurgeGap(settings, (int) Math.min(1024, config.snapshotEvery()));
  }

  private static void timeouts(RaftProperties settings, GmsConfig config) {
    RaftServerConfigKeys.Rpc.setTimeoutMin(settings, millis(400));
    // Also how long a new leader has for its first message and the answers: on a busy machine, in a
    // JVM that never did it before, 600 ms were too few, again and again.
    RaftServerConfigKeys.Rpc.setTimeoutMax(settings, millis(1500));
    // Nobody else can win the election of a single node: it need not wait for one.
    RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(settings, millis(config.alone() ? 5 : 150));
    RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(
        settings, millis(config.alone() ? 10 : 300));
    RaftServerConfigKeys.Rpc.setRequestTimeout(settings, millis(1000));
    if (!config.address().isEmpty()) { // others may be added
      RaftServerConfigKeys.Read.setOption(settings, RaftServerConfigKeys.Read.Option.LINEARIZABLE);
      RaftServerConfigKeys.Read.setTimeout(settings, millis(1000));
    }
    // A machine that slept must not find its GMS closed when it wakes.
    RaftServerConfigKeys.setCloseThreshold(settings, TimeDuration.valueOf(3650, TimeUnit.DAYS));
  }

  private static void grpc(RaftProperties settings, String address) {
    RaftConfigKeys.Rpc.setType(settings, SupportedRpcType.GRPC);
    HostPort place = HostPort.parse(address);
    GrpcConfigKeys.Server.setHost(settings, place.host());
    GrpcConfigKeys.Server.setPort(settings, place.port());
    GrpcConfigKeys.Server.setAsyncRequestThreadPoolCached(settings, false);
    GrpcConfigKeys.Server.setAsyncRequestThreadPoolSize(settings, 4);
    GrpcConfigKeys.setMessageSizeMax(settings, SizeInBytes.valueOf("64MB"));
    GrpcConfigKeys.setFlowControlWindow(settings, SizeInBytes.valueOf("1MB"));
  }

  private static TimeDuration millis(long millis) {
    return TimeDuration.valueOf(millis, TimeUnit.MILLISECONDS);
  }
}
