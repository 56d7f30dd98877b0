package io.alrai.cn.console;

import io.alrai.cn.config.RoleConfig;
import io.alrai.cn.config.RoleFile;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.node.GmsPeer;
import io.alrai.gms.force.GmsForce;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code alrai member force}: the way out when a majority of the GMS' nodes is lost. */
@Command(
    name = "force",
    mixinStandardHelpOptions = true,
    description = {
      "Makes a node of the GMS the whole GMS, when a majority of its nodes is lost for good.",
      "What it does not have is lost; the others are never believed again. Its process must have",
      "ended. Without --accept-data-loss it changes nothing and says what would be lost."
    })
final class MemberForceCommand implements Callable<Integer> {
  @Parameters(paramLabel = "NAME", description = "The node that is left, as gms-1.")
  private String name = "";

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Its properties file (default: DIR/etc/NAME.properties).")
  private Optional<Path> config = Optional.empty();

  @Option(
      names = "--lost",
      split = ",",
      paramLabel = "NAME",
      description = "All other nodes: they have ended, and do not come back.")
  private List<String> lost = List.of();

  @Option(
      names = "--accept-data-loss",
      description = "What was decided after the last entry of this node may be lost.")
  private boolean accepted;

  @Mixin private DataOption data = new DataOption();

  @Override
  public Integer call() throws IOException {
    if (!name.matches("gms-[A-Za-z0-9-]+")) {
      throw new AlraiException(
          ErrorCode.ER_WRONG_VALUE_FOR_VAR,
          "only nodes of the GMS can be forced, not '" + name + "'");
    }
    Path file = config.orElse(data.path().resolve("etc").resolve(name + ".properties"));
    RoleConfig role = RoleFile.read(file);
    if (!role.node().equals(name)) {
      throw new AlraiException(
          ErrorCode.ER_WRONG_VALUE_FOR_VAR, file + " is of " + role.node() + ", not of " + name);
    }
    GmsForce force = new GmsForce(role.gmsNode(), new SecureRandom(), _ -> {});
    GmsForce.Outlook outlook = force.look();
    if (!accepted) {
      return say(role, outlook, file);
    }
    System.out.println(
        name
            + " is the GMS from its next start on, in generation "
            + force.force(lost)
            + ": "
            + outlook.sentence()
            + "; what was decided after it is lost. Add two nodes: ./alrai member add gms-N, then"
            + " ALTER SYSTEM ADD GMS");
    return 0;
  }

  private int say(RoleConfig role, GmsForce.Outlook outlook, Path file) {
    String names =
        outlook.lost().stream().map(peer -> peer.id().name()).collect(Collectors.joining(","));
    System.err.println(
        "nothing has been changed. In "
            + role.data().resolve(name)
            + ", "
            + outlook.sentence()
            + ".\nWhat the GMS has decided after it would be lost: databases, tables, accounts, DDL"
            + " jobs, ranges of ids.\nNobody answers at "
            + GmsPeer.text(outlook.lost())
            + ". Their processes must have ended, and so must CNs and agents that do not reach "
            + name
            + ".\nTo do it: ./alrai member force "
            + name
            + " --config "
            + file
            + " --lost "
            + names
            + " --accept-data-loss");
    return 1;
  }
}
