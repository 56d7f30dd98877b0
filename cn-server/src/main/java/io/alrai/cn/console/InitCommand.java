package io.alrai.cn.console;

import io.alrai.cn.topology.NodeFiles;
import io.alrai.cn.topology.Topology;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code alrai init}. */
@Command(
    name = "init",
    mixinStandardHelpOptions = true,
    description = {
      "Writes the files of a cluster of several machines: for each host of a topology a directory",
      "with node.properties, a unit of systemd's and a certificate of the node. They have a secret",
      "in common, and a CA, whose key stays in DIR/ca.",
      "Files that are there are not written over: hosts are added at the end."
    })
final class InitCommand implements Callable<Integer> {
  @Option(
      names = "--topology",
      required = true,
      paramLabel = "FILE",
      description = "The machines, in YAML: docs/operations/nodes.md.")
  private Path topology = Path.of("topology.yaml");

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where the files go (default: ${DEFAULT-VALUE}).",
      defaultValue = "cluster")
  private Path out = Path.of("cluster");

  @Override
  public Integer call() {
    List<Path> made = new NodeFiles(Topology.read(topology)).write(out);
    made.forEach(System.out::println);
    System.out.printf(
        """

        On each machine, with the files of its directory:
          put node.properties to %1$s, of the unit's user, mode 600,
            and member-cert.pem, member-key.pem and member-ca.pem, if there are, beside it likewise
          put ALRAI_ROOT_PASSWORD=... into /etc/alrai/environment, the same on all, mode 600:
            without it root of the new cluster is let in from its own machine only
          as root, once: install -d -o USER -m 700 DATA, as the unit has them
          as the unit's user: alrai check --config %1$s
          put alrai-node.service to /etc/systemd/system; systemctl enable --now alrai-node
        """,
        NodeFiles.INSTALLED);
    return 0;
  }
}
