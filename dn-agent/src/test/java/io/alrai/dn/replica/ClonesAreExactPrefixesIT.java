package io.alrai.dn.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.alrai.dn.backend.Answer;
import io.alrai.dn.backend.Eventually;
import io.alrai.dn.mysqld.MysqldConfig;
import io.alrai.dn.mysqld.MysqldInstance;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** CLONE of a server that is written to, over a relay between mysqlds that have no port. */
class ClonesAreExactPrefixesIT {
  @TempDir Path temporary;

  private static UnaryOperator<MysqldConfig> cloning(UnaryOperator<MysqldConfig> options) {
    return config ->
        options.apply(config).withOption("plugin-load-add", "semisync_source.so;mysql_clone.so");
  }

  @Test
  void preparedBranchesAreInThem() throws Exception {
    UnaryOperator<MysqldConfig> following = cloning(ReplicaServer.following(2));
    try (ReplicaServer source =
            new ReplicaServer(
                temporary.resolve("source"), 1, cloning(config -> config.withDurable(false)));
        RecordingRelay relay = new RecordingRelay(source.instance().socketPath());
        XaLoad load = new XaLoad(source);
        ReplicaServer copy = new ReplicaServer(temporary.resolve("copy"), 2, following)) {
      String uuid = copy.uuid();
      load.start(Facts.SEED);
      Eventually.await("prepared branches", () -> source.prepared().size() > 8);
      long begin = System.nanoTime();
      clone(copy, relay.port(), source.instance().password());
      Eventually.await("the clone's start", () -> copy.isThere("f"));
      long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
      assertEquals(uuid, copy.uuid());
      load.assertPrefix(source.dataDirectory(), copy);
      int branches = copy.prepared().size();
      assertFalse(copy.prepared().isEmpty());
      copy.kill();
      copy.deleteBinlog();
      copy.start(following);
      load.assertPrefix(source.dataDirectory(), copy);
      load.end();
      copy.follow(relay.port(), source);
      copy.query("START REPLICA");
      copy.awaitApplied(source.executed());
      assertEquals(0, load.assertPrefix(source.dataDirectory(), copy));
      Facts.print("clone under load: %d ms with its start, %d branches", took, branches);
    }
  }

  private static void clone(ReplicaServer copy, int port, String password) throws Exception {
    copy.query(
        "SET GLOBAL super_read_only=OFF;SET GLOBAL clone_valid_donor_list='127.0.0.1:"
            + port
            + "'");
    try {
      copy.query(
          "CLONE INSTANCE FROM '"
              + MysqldInstance.ADMIN_ACCOUNT
              + "'@'127.0.0.1':"
              + port
              + " IDENTIFIED BY '"
              + password
              + "' REQUIRE NO SSL");
    } catch (Answer.Failed e) {
      // it ends to be started again
      if (e.fromServer()) {
        throw e;
      }
    }
  }
}
