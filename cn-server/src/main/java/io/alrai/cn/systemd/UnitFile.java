package io.alrai.cn.systemd;

import java.util.ArrayList;
import java.util.List;

/**
 * A unit of systemd's that keeps one process of Alrai's: see systemd.service(5) and
 * systemd.exec(5).
 *
 * @param name of the file
 * @param description a few words
 * @param user of the system, whose processes they are
 * @param data where the process writes, besides its cache
 * @param variables of its own, with their values
 * @param start the command, with what systemd puts in for {@code %i} and variables
 */
public record UnitFile(
    String name, String description, String user, String data, String variables, String start) {
  /** The user of those of a package. */
  public static final String USER = "alrai";

  /** The directory that systemd makes for it, and lets it write to. */
  public static final String STATE = "/var/lib/alrai";

  /** Where what can be fetched or made again is. */
  public static final String CACHE = "/var/cache/alrai";

  /** Variables for all units; for root alone, as a password may be among them. */
  public static final String ENVIRONMENT = "/etc/alrai/environment";

  private static final List<String> ROLES = List.of("gms", "dn", "logger", "columnar", "cn");

  /**
   * All that a machine has of a cluster, in one process.
   *
   * @param home the directory of the release
   */
  public static UnitFile node(String user, String data, String home) {
    return new UnitFile(
        "alrai-node.service",
        "Alrai, a node",
        user,
        data,
        "",
        home + "/bin/alrai node --config /etc/alrai/node.properties");
  }

  /**
   * Those of a package: a cluster of one machine, a node, and each role by the name of its file.
   */
  public static List<UnitFile> ofPackage(String home) {
    String program = home + "/bin/alrai ";
    UnitFile alone =
        new UnitFile(
            "alrai.service",
            "Alrai, a cluster on one machine",
            USER,
            STATE,
            " ALRAI_DRAIN_LISTEN=5 ALRAI_DRAIN=60 ALRAI_UP=",
            program
                + "up --processes --data "
                + STATE
                + "/data --drain-listen-seconds ${ALRAI_DRAIN_LISTEN}"
                + " --drain-seconds ${ALRAI_DRAIN} $ALRAI_UP");
    List<UnitFile> units = new ArrayList<>(List.of(alone, node(USER, STATE, home)));
    for (String role : ROLES) {
      units.add(
          new UnitFile(
              "alrai-" + role + "@.service",
              "Alrai, " + role + " %i",
              USER,
              STATE,
              "",
              program + role + " --config /etc/alrai/%i.properties"));
    }
    return units;
  }

  /** What is in the file. */
  public String text() {
    return """
    [Unit]
    Description=%1$s
    Wants=network-online.target
    After=network-online.target time-sync.target
    # what misses other machines ends, and is started until it finds them
    StartLimitIntervalSec=0

    [Service]
    Type=notify
    User=%2$s
    StateDirectory=alrai
    StateDirectoryMode=0700
    CacheDirectory=alrai
    %3$sEnvironment=ALRAI_CACHE=%5$s%7$s
    # ALRAI_ROOT_PASSWORD=... for the first start of a cluster
    EnvironmentFile=-%6$s
    ExecStart=%4$s
    # the first start fetches a MySQL server where there is none
    TimeoutStartSec=900
    Restart=on-failure
    RestartSec=2
    # the first process ends the others in order, clients first: drain.listen.seconds and drain.seconds, and half a
    # minute for the rest. What is left after the time is killed, and recovers later
    KillMode=mixed
    TimeoutStopSec=180
    SuccessExitStatus=143
    LimitNOFILE=65536
    NoNewPrivileges=yes
    ProtectSystem=strict
    ProtectHome=read-only
    PrivateTmp=yes
    PrivateDevices=yes
    ProtectClock=yes
    ProtectControlGroups=yes
    ProtectHostname=yes
    ProtectKernelLogs=yes
    ProtectKernelModules=yes
    ProtectKernelTunables=yes
    RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
    RestrictNamespaces=yes
    RestrictSUIDSGID=yes
    LockPersonality=yes
    SystemCallArchitectures=native
    CapabilityBoundingSet=
    UMask=0077

    [Install]
    WantedBy=multi-user.target
    """
        .formatted(description, user, otherDirectory(), start, CACHE, ENVIRONMENT, variables);
  }

  /** Lines for data that lie somewhere else: as root, for the first start. */
  private String otherDirectory() {
    if (data.equals(STATE) || data.startsWith(STATE + "/")) {
      return "";
    }
    return "ExecStartPre=+/usr/bin/install -d -o %1$s -m 700 %2$s\nReadWritePaths=-%2$s\n"
        .formatted(user, data);
  }
}
