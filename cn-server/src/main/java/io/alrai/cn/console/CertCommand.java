package io.alrai.cn.console;

import io.alrai.cn.topology.ClusterAuthority;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code alrai cert}. */
@Command(
    name = "cert",
    mixinStandardHelpOptions = true,
    description = {
      "Certificates of nodes, where alrai init has made them and the CA's key is:",
      "  renew            new ones for all nodes, by the CA",
      "  rotate           a new CA beside the old one; copy member-ca.pem to all machines, then renew",
      "  rotate --finish  nobody believes the old CA any more: when all machines have new ones",
      "Nodes read files anew when they change: copy member-key.pem, then member-cert.pem."
    })
final class CertCommand implements Callable<Integer> {
  /** What is to be done. */
  enum Work {
    renew,
    rotate
  }

  @Parameters(index = "0", paramLabel = "renew|rotate", description = "What to do.")
  private Work work = Work.renew;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where alrai init has put the files (default: ${DEFAULT-VALUE}).",
      defaultValue = "cluster")
  private Path out = Path.of("cluster");

  @Option(
      names = "--days",
      paramLabel = "N",
      description =
          "For how long renewed ones are valid, not longer than the CA (default: ${DEFAULT-VALUE}).",
      defaultValue = "" + ClusterAuthority.DAYS)
  private int days = ClusterAuthority.DAYS;

  @Option(names = "--finish", description = "Of rotate: the old CA counts no more.")
  private boolean finish;

  @Override
  public Integer call() {
    ClusterAuthority authority = new ClusterAuthority(out);
    List<Path> hosts =
        switch (work) {
          case renew -> authority.renew(days);
          case rotate -> finish ? authority.finish() : authority.rotate();
        };
    hosts.forEach(System.out::println);
    System.out.println(
        switch (work) {
          case renew ->
              "Copy member-key.pem, member-cert.pem and member-ca.pem of each to /etc/alrai of its"
                  + " machine, mode 600.";
          case rotate ->
              finish
                  ? "Copy member-ca.pem of each to its machine: the old CA counts no more."
                  : "Copy member-ca.pem of each to its machine; then: alrai cert renew";
        });
    return 0;
  }
}
