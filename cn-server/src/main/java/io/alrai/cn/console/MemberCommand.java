package io.alrai.cn.console;

import io.alrai.cn.launch.GmsRoles;
import io.alrai.cn.launch.MemberRoles;
import io.alrai.cn.process.RunDirectory;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code alrai member}: processes that join the groups of DNs or the GMS, and that leave. */
@Command(
    name = "member",
    mixinStandardHelpOptions = true,
    description = "Adds and removes processes of members of DNs' groups and of the GMS.",
    subcommands = {MemberCommand.Add.class, MemberCommand.Remove.class, MemberForceCommand.class})
final class MemberCommand {
  private static final int LOOKS = 1_200;
  private static final long LOOK_MILLIS = 100;

  private MemberCommand() {}

  /** {@code alrai member add}. */
  @Command(
      name = "add",
      mixinStandardHelpOptions = true,
      description = {
        "Makes a process that waits to join: logger-N keeps logs alone, of one DN or more,",
        "dn-1-c has a mysqld for dn-1, gms-4 is a node of the GMS; with --learner dn-1-r has a",
        "mysqld for reads of dn-1, and no vote. Returns when it runs."
      })
  static final class Add implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "logger-2, dn-1-c, gms-4 and the like.")
    private String name = "";

    @Option(
        names = "--to",
        split = ",",
        paramLabel = "DN",
        description = "The DNs whose groups it will join; none for a node of the GMS.")
    private List<String> dns = List.of();

    @Option(names = "--learner", description = "It serves reads, and never votes or leads.")
    private boolean learner;

    @Mixin private DataOption data = new DataOption();

    @Override
    public Integer call() throws IOException, InterruptedException {
      RunDirectory run = new RunDirectory(data.path());
      String joining = add();
      if (run.process(UpCommand.NAME).isEmpty()) {
        System.out.println(name + " starts with the cluster: ./alrai up --processes");
        return 0;
      }
      for (int look = 0; run.process(name).isEmpty(); look++) {
        if (look == LOOKS) {
          System.err.println(
              "alrai: " + name + " does not run yet, see " + data.path().resolve("log"));
          return 1;
        }
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      }
      System.out.println(name + " waits to join: " + joining);
      return 0;
    }

    /** Writes its configuration; the statements that let it join. */
    private String add() throws IOException {
      if (name.startsWith("gms-")) {
        if (!dns.isEmpty() || learner) {
          throw new AlraiException(
              ErrorCode.ER_WRONG_VALUE_FOR_VAR,
              "a node of the GMS joins no DN: leave --to and --learner out");
        }
        String address = GmsRoles.add(data.path(), name);
        return "ALTER SYSTEM ADD GMS '" + name + "' AT '" + address + "'";
      }
      if (dns.isEmpty()) {
        throw new AlraiException(
            ErrorCode.ER_WRONG_VALUE_FOR_VAR, "--to says which DNs' groups " + name + " will join");
      }
      MemberRoles.add(data.path(), name, dns.stream().map(DnId::new).toList(), learner);
      String kind = learner ? "LEARNER" : name.startsWith("logger-") ? "LOGGER" : "FOLLOWER";
      return dns.stream()
          .map(dn -> "ALTER SYSTEM ADD " + kind + " '" + name + "' TO '" + dn + "'")
          .collect(Collectors.joining("; "));
    }
  }

  /** {@code alrai member remove}. */
  @Command(
      name = "remove",
      mixinStandardHelpOptions = true,
      description =
          "Ends the process of a member that was added or dropped, or lost its log, or of a node that"
              + " the GMS does without; its data stays.")
  static final class Remove implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "Of the member.")
    private String name = "";

    @Mixin private DataOption data = new DataOption();

    @Override
    public Integer call() throws IOException {
      MemberRoles.remove(data.path(), name);
      System.out.println(name + " is removed; its data is in " + data.path().resolve(name));
      return 0;
    }
  }
}
