package io.alrai.cn.console;

import io.alrai.cn.config.RoleFile;
import io.alrai.cn.node.NodeConfig;
import io.alrai.cn.topology.HostCheck;
import io.alrai.cn.topology.HostCheck.Finding;
import io.alrai.cn.topology.HostCheck.Verdict;
import io.alrai.common.error.AlraiException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code alrai check}. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    description = {
      "Looks whether this machine is fit for the node of a file, before that is started: its",
      "directory and disk, ports, ways to the other machines, limits, memory, the clock.",
      "Exit code 1 when the node would not work."
    })
final class CheckCommand implements Callable<Integer> {
  @Option(
      names = "--config",
      required = true,
      paramLabel = "FILE",
      description = "The node's properties file.")
  private Path config = Path.of("node.properties");

  @Override
  public Integer call() {
    NodeConfig node = NodeConfig.read(config, RoleFile.read(config));
    List<Finding> findings = new ArrayList<>();
    findings.add(directory(node));
    findings.addAll(HostCheck.of(node));
    for (Finding finding : findings) {
      System.out.printf(
          "%-8s %s%n", finding.verdict().name().toLowerCase(Locale.ROOT), finding.text());
    }
    return findings.stream().anyMatch(finding -> finding.verdict() == Verdict.WRONG) ? 1 : 0;
  }

  private static Finding directory(NodeConfig node) {
    Path data = node.role().data();
    boolean fresh = !Files.exists(data.resolve(node.agent().name()));
    try {
      DataDirectory.require(data, fresh ? 1 : 0);
      return new Finding(Verdict.GOOD, data + " can be written, and its disk has room");
    } catch (AlraiException e) {
      return new Finding(Verdict.WRONG, e.sentence());
    }
  }
}
