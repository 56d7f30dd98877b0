package io.alrai.cn.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.config.RoleConfig;
import io.alrai.cn.process.RunDirectory;
import io.alrai.common.secret.PrivateFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes of members whose configurations go while the cluster runs. */
@Timeout(60)
final class AddedMembersTest {
  @TempDir Path directory;

  /** A role whose process sleeps, with a configuration. */
  private final class Sleeping {
    private final KeptRole role;
    private Process process;

    Sleeping(String name) throws IOException {
      Path config = ProcessCluster.configOf(directory, name);
      PrivateFiles.directory(config.getParent());
      RoleConfig written =
          GmsRoles.of(directory, 1).getFirst().as(name, new InetSocketAddress("127.0.0.1", 1));
      PrivateFiles.write(config, written.text());
      role = new KeptRole(name, _ -> launch());
    }

    private Detached launch() {
      Path log = directory.resolve(role.name() + ".log");
      try {
        process =
            new ProcessBuilder("sh", "-c", "echo ready now; exec sleep 1000")
                .redirectError(log.toFile())
                .start();
        return new Detached(process, log);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** One that the cluster began with, too: {@code member remove} has deleted its configuration. */
  @Test
  void firstMembersEndWhenTheirConfigurationsGo() throws Exception {
    Sleeping logger = new Sleeping("logger-1");
    Sleeping stays = new Sleeping("dn-1-a");
    Sleeping goes = new Sleeping("dn-1-b");
    RoleGroup loggers = new RoleGroup(List.of(logger.role));
    RoleGroup agents = new RoleGroup(List.of(stays.role, goes.role));
    try (RoleGroup _ = loggers;
        RoleGroup _ = agents) {
      loggers.start();
      agents.start();
      try (AddedMembers _ =
          new AddedMembers(directory, new RoleGroup(List.of()), List.of(loggers, agents)).start()) {
        Files.delete(ProcessCluster.configOf(directory, "dn-1-b"));
        assertTrue(goes.process.waitFor(30, TimeUnit.SECONDS), "it ends");
        Files.delete(ProcessCluster.configOf(directory, "logger-1"));
        assertTrue(logger.process.waitFor(30, TimeUnit.SECONDS), "the first logger ends");
        assertTrue(RunDirectory.runs(stays.process.toHandle()));
      }
    }
    assertEquals(List.of("dn-1-a", "dn-1-b"), agents.names());
  }
}
