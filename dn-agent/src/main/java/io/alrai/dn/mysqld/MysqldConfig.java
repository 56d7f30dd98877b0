package io.alrai.dn.mysqld;

import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What one mysqld is started with. Everything the instance owns lies in one directory: its data,
 * socket, logs and password.
 *
 * @param directory absolute; made when the instance is created
 * @param serverId unique in the cluster, at least 1
 * @param tcp where it listens besides its socket; nowhere by default
 * @param memory sizes
 * @param durable whether every commit is forced to disk; false only where losing all is fine
 * @param group whether it belongs to a member of a group: begins as a replica, see {@link
 *     #withGroup}
 * @param options further server options by name without dashes; they win over all others. With
 *     {@link #withSemiSync} and {@link #withGroup} none of {@link GuardedOptions}
 */
public record MysqldConfig(
    Path directory,
    int serverId,
    Optional<TcpEndpoint> tcp,
    MysqldMemory memory,
    boolean durable,
    boolean group,
    SortedMap<String, String> options) {

  private static final String SEMI_SYNC = "rpl-semi-sync-source-enabled";

  private static final String PLUGINS = "plugin-load-add";

  /** Also what lets another member of its group clone it: a DN of one replica may get a group. */
  private static final String PLUGIN_FILES = "semisync_source.so;mysql_clone.so";

  /** What the server takes at most: 49 days. */
  private static final String LONGEST_WAIT_MILLIS = "4294967295";

  /** Makes the directory absolute and copies the options. */
  public MysqldConfig {
    directory = directory.toAbsolutePath().normalize();
    options = new TreeMap<>(options);
    if (serverId < 1) {
      throw new IllegalArgumentException("no server id: " + serverId);
    }
    if (options.containsKey(SEMI_SYNC)) {
      options.keySet().forEach(GuardedOptions::check);
    }
  }

  /** Durable, on a socket only, with {@link MysqldMemory#standard()}. */
  public static MysqldConfig of(Path directory, int serverId) {
    return new MysqldConfig(
        directory,
        serverId,
        Optional.empty(),
        MysqldMemory.standard(),
        true,
        false,
        new TreeMap<>());
  }

  /** Listens on TCP too. */
  public MysqldConfig withTcp(TcpEndpoint endpoint) {
    return new MysqldConfig(
        directory, serverId, Optional.of(endpoint), memory, durable, group, options);
  }

  /** With other sizes. */
  public MysqldConfig withMemory(MysqldMemory sizes) {
    return new MysqldConfig(directory, serverId, tcp, sizes, durable, group, options);
  }

  /** With commits forced to disk or not. */
  public MysqldConfig withDurable(boolean on) {
    return new MysqldConfig(directory, serverId, tcp, memory, on, group, options);
  }

  /** With one more server option, {@code ("long_query_time", "1")} for example. */
  public MysqldConfig withOption(String name, String value) {
    SortedMap<String, String> more = new TreeMap<>(options);
    more.put(name, value);
    return new MysqldConfig(directory, serverId, tcp, memory, durable, group, more);
  }

  /**
   * With commits that wait, invisible, for a replica's acknowledgement, from the first moment on
   * and as long as it takes: nobody writes before a replica is there.
   */
  public MysqldConfig withSemiSync() {
    return withSemiSync("ON");
  }

  /**
   * A replica that can become a source whose commits wait, by statements alone: read-only, its
   * commits are not flushed and wait for nobody, until statements change that. To be launched
   * without a binary log of its own: what is flushed too late in it is in the log of its group.
   */
  public MysqldConfig withGroup() {
    MysqldConfig idle = withSemiSync("OFF");
    return new MysqldConfig(directory, serverId, tcp, memory, durable, true, idle.options);
  }

  private MysqldConfig withSemiSync(String enabled) {
    return withOption(PLUGINS, PLUGIN_FILES)
        .withOption(SEMI_SYNC, enabled)
        .withOption("rpl-semi-sync-source-wait-point", "AFTER_SYNC")
        .withOption("rpl-semi-sync-source-wait-no-replica", "ON")
        .withOption("rpl-semi-sync-source-wait-for-replica-count", "1")
        .withOption("rpl-semi-sync-source-timeout", LONGEST_WAIT_MILLIS);
  }

  /** Whether its commits wait for an acknowledgement, as soon as it may write. */
  public boolean semiSync() {
    return options.containsKey(SEMI_SYNC);
  }

  /** Whether it reads an init-file of its own in place of the agent's. */
  boolean hasInitFile() {
    return options.keySet().stream().anyMatch(name -> name.replace('_', '-').equals("init-file"));
  }

  /** A copy: the map cannot be changed from outside. */
  @Override
  public SortedMap<String, String> options() {
    return new TreeMap<>(options);
  }
}
